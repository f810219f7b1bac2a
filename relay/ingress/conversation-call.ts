import type { Incoming } from '../admission/admitted.ts';
import type { Caller } from '../admission/caller.ts';
import { examineBody } from '../admission/examine-body.ts';
import type { TextIngress } from '../admission/text-call.ts';
import type { RelayCore } from '../execution/relay-core.ts';
import { inputItems } from '../kept-responses/asked-to-keep.ts';
import {
  answerItems,
  type Conversation,
  fitsStore,
  sentItems,
  withItemsAdded,
} from '../kept-responses/conversation-items.ts';
import type { ConversationKey } from '../kept-responses/conversations.ts';
import { withItemsBefore } from '../kept-responses/items-before.ts';
import { storeAway, withReferredItems } from '../kept-responses/previous-input.ts';
import { type ApiError, isApiError, sendError } from '../protocol/api-error.ts';
import type { JsonObject } from '../protocol/canonical.ts';
import { isObject, objectsAt, parseJson } from '../protocol/json.ts';
import type { ScannedBody } from '../protocol/normalise.ts';
import { relayError } from '../protocol/relay-errors.ts';
import { scanMembers } from '../protocol/scan-body.ts';
import { shortText, valueText } from '../protocol/splice.ts';
import { answerInConversation, type NotAdded } from './conversation-answer.ts';
import {
  badConversation,
  conversationFull,
  exclusive,
  inBackground,
  notFound,
  notKept,
} from './conversation-errors.ts';

const maxIdBytes = 512;

const notHeld: NotAdded = {
  code: 'conversation_not_updated',
  message: 'This response could not be added to its conversation',
};
const tooLong: NotAdded = {
  code: 'conversation_full',
  message: 'This response is too long to be added to its conversation, which takes no more calls',
};
const internalError = relayError('internal_error');

const isNamed = ({ body, scan }: ScannedBody): boolean => {
  const { conversation } = scan.members;
  return conversation !== undefined && shortText(body, conversation, 4) !== 'null';
};

/** A call of the Responses API that names a conversation. */
export const namesConversation = ({ route }: TextIngress, given: ScannedBody): boolean =>
  route.path === '/v1/responses' && isNamed(given);

const idOf = ({ body, scan }: ScannedBody): string | null => {
  const { conversation } = scan.members;
  const named = conversation && parseJson(shortText(body, conversation, maxIdBytes));
  const id = isObject(named) ? named.id : named;
  return typeof id === 'string' ? id : null;
};

const isSet = (body: Buffer, name: string, texts: (text: string) => boolean): boolean => {
  const member = scanMembers(body)?.get(name);
  return member !== undefined && texts(valueText(body, member));
};

/** What is wrong with a call in a conversation before the conversation is read. */
const problemOf = ({ body }: ScannedBody): ApiError | null => {
  if (isSet(body, 'previous_response_id', (text) => text !== 'null')) return exclusive;
  return isSet(body, 'background', (text) => text === 'true') ? inBackground : null;
};

type Asked = Readonly<{ caller: Caller; given: ScannedBody }>;

type Opened = Readonly<{
  key: ConversationKey;
  /** With the items of the conversation before its input. */
  body: Buffer;
  input: readonly JsonObject[];
}>;

const open = async (core: RelayCore, { caller, given }: Asked): Promise<Opened | ApiError> => {
  const id = idOf(given);
  if (id === null) return badConversation;
  const problem = core.keptResponses.keeps() ? problemOf(given) : notKept;
  if (problem !== null) return problem;
  const { userId } = caller.account;
  const key = { id, userId };
  const conversation = await core.conversations.find(key);
  if (conversation === null) return notFound(id);
  const resolved = await withReferredItems(given.body, { kept: core.keptResponses, userId });
  if (isApiError(resolved)) return resolved;
  const own = resolved ?? given.body;
  const input = inputItems(own);
  const full = conversationFull(withItemsAdded(conversation, input));
  if (full !== null) return full;
  return { key, body: withItemsBefore(own, sentItems(conversation), 'conversation'), input };
};

/** Adds input and output at once, so that the turns of two calls follow one another. */
const addTurn = async (
  core: RelayCore,
  { key, input }: Opened,
  response: JsonObject,
): Promise<NotAdded> => {
  const turn = [...input, ...answerItems(objectsAt(response, 'output'))];
  const next = (held: Conversation): Conversation => {
    const longer = withItemsAdded(held, turn);
    return fitsStore(longer) ? longer : { ...held, isFull: true };
  };
  try {
    const changed = await core.conversations.change(key, next);
    if (changed === null || isApiError(changed)) return notHeld;
    return changed.isFull ? tooLong : null;
  } catch (error) {
    core.logger.warn({ err: error }, 'a response could not be added to its conversation');
    return notHeld;
  }
};

type ServeWhole = (incoming: Incoming, whole: ScannedBody | ApiError) => void;

/** A call with all that its conversation holds; `serve` gets where its answer is to be written. */
export const serveInConversation = (
  core: RelayCore,
  incoming: Incoming,
  asked: Asked & Readonly<{ serve: ServeWhole }>,
): void => {
  const { res, requestId } = incoming;
  const begin = (opened: Opened | ApiError): void => {
    if (res.destroyed) return;
    if (isApiError(opened)) {
      sendError(res, opened, requestId);
      return;
    }
    const { key, body } = opened;
    const add = (response: JsonObject): Promise<NotAdded> => addTurn(core, opened, response);
    const inner = answerInConversation(incoming, { id: key.id, add });
    examineBody(core, { raw: body, owner: key.userId, protocol: 'openai' }, (whole) =>
      asked.serve({ ...incoming, res: inner }, whole),
    );
  };
  open(core, asked)
    .catch((error: unknown) => {
      core.logger.warn({ requestId, err: error }, 'a conversation could not be read');
      return storeAway;
    })
    .then(begin)
    .catch((error: unknown) => {
      core.logger.error({ requestId, err: error }, 'a call in a conversation could not be served');
      sendError(res, internalError, requestId);
    });
};

/** The same for a call that only counts its input. */
export const countedInConversation = async (
  core: RelayCore,
  asked: Asked,
): Promise<ScannedBody | ApiError> => {
  if (!isNamed(asked.given)) return asked.given;
  const opened = await open(core, asked).catch(() => storeAway);
  if (isApiError(opened)) return opened;
  const { body, key } = opened;
  return new Promise((resolve) => {
    examineBody(core, { raw: body, owner: key.userId, protocol: 'openai' }, resolve);
  });
};

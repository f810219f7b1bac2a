import { mayUseGroup } from '../../domain/pricing/groups.ts';
import type { Incoming } from '../admission/admitted.ts';
import { arriveInSession } from '../admission/arrive.ts';
import type { Caller } from '../admission/caller.ts';
import { examineBody } from '../admission/examine-body.ts';
import { type BodyResult, readBody } from '../admission/read-body.ts';
import type { SessionRefusal } from '../admission/session.ts';
import type { TextRoute } from '../admission/text-call.ts';
import type { RelayCore } from '../execution/relay-core.ts';
import { sendOwnError } from '../protocol/answer-head.ts';
import { type ApiError, isApiError, sendError } from '../protocol/api-error.ts';
import { parseJson } from '../protocol/json.ts';
import type { ScannedBody } from '../protocol/normalise.ts';
import { relayError } from '../protocol/relay-errors.ts';
import { forgetMember, type KnownKey, type Member } from '../protocol/scan-body.ts';
import { removeMember, shortText } from '../protocol/splice.ts';
import { serveGiven } from './serve-text.ts';

const sendRefusal = (incoming: Incoming, { code, message, status }: SessionRefusal): void =>
  sendOwnError(incoming, { status, reason: code }, { success: false, code, message });

const textMember = ({ body, scan }: ScannedBody, key: 'group'): string => {
  const member = scan.members[key];
  if (member === undefined) return '';
  const value = parseJson(shortText(body, member, 1_024));
  return typeof value === 'string' ? value : '';
};

/** Leaves blanks where a member was: no other byte of a long body has to move for it. */
const blanked = (given: ScannedBody, key: KnownKey, member: Member): ScannedBody => {
  const { body, scan } = given;
  const { start, end } = removeMember(body, member);
  body.fill(0x20, start, end);
  forgetMember(body, key);
  const { [key]: _, ...members } = scan.members;
  return { ...given, scan: { ...scan, members } };
};

/** The page's own fields go no further: `group`, and a limit of 0 that means "none". */
const forProvider = (given: ScannedBody): ScannedBody => {
  let now = given;
  for (const key of ['group', 'max_tokens'] as const) {
    const member = now.scan.members[key];
    if (member === undefined) continue;
    if (key === 'max_tokens' && shortText(now.body, member, 64) !== '0') continue;
    now = blanked(now, key, member);
  }
  return now;
};

const callerIn = (core: RelayCore, caller: Caller, asked: string): Caller | null => {
  const own = caller.account.group === '' ? 'default' : caller.account.group;
  const group = asked === '' ? own : asked;
  if (!mayUseGroup(core.options.current().prices, own, group)) return null;
  return { ...caller, tokenGroup: group };
};

const chatRoute: TextRoute = {
  kind: 'text',
  operation: 'chat',
  protocol: 'openai',
  path: '/v1/chat/completions',
};

const serveBody = (
  core: RelayCore,
  incoming: Incoming,
  { given, caller }: Readonly<{ given: ScannedBody | ApiError; caller: Caller }>,
): void => {
  const { res, requestId } = incoming;
  if (isApiError(given)) {
    const isOurs = given.status >= 500;
    sendError(res, isOurs ? given : { ...given, code: 'unmarshal_request_failed' }, requestId);
    return;
  }
  const inGroup = callerIn(core, caller, textMember(given, 'group'));
  if (inGroup === null) {
    sendError(res, relayError('group_not_allowed', 'This group is not open to you'), requestId);
    return;
  }
  serveGiven(core, incoming, {
    ingress: {
      entry: 'playground',
      route: chatRoute,
      caller: inGroup,
      noModelCode: 'model_required',
    },
    given: forProvider(given),
  });
};

/** POST /pg/chat/completions: the console's own page, under the session of who is signed in. */
export const servePlayground = async (core: RelayCore, incoming: Incoming): Promise<void> => {
  const { res, requestId } = incoming;
  const caller = await arriveInSession(core, incoming, 'playground');
  if ('kind' in caller) {
    sendRefusal(incoming, caller);
    return;
  }
  if (isApiError(caller)) {
    sendError(res, caller, requestId);
    return;
  }
  const raw = await new Promise<BodyResult>((resolve) => readBody(core, incoming, resolve));
  if (raw === 'gone') return;
  if (!Buffer.isBuffer(raw)) {
    sendError(res, raw, requestId);
    return;
  }
  examineBody(core, { raw, owner: caller.account.userId, protocol: 'openai' }, (given) =>
    serveBody(core, incoming, { given, caller }),
  );
};

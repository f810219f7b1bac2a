import type { ApiError } from '../../protocol/api-error.ts';
import type { JsonObject } from '../../protocol/canonical.ts';
import { isObject, textAt, without } from '../../protocol/json.ts';
import { orRefusal, refuseRequest } from '../../protocol/refusal.ts';
import type {
  OpenAiReply,
  StreamTranslation,
  TranslatingAdapter,
  TranslationContext,
} from '../translate.ts';

/** Members of text completions alone. */
const completionMembers = ['prompt', 'suffix', 'echo', 'best_of', 'logprobs'] as const;

const promptOf = ({ prompt, suffix }: JsonObject): string => {
  if (typeof suffix === 'string' && suffix !== '') {
    return refuseRequest('This model cannot fill a gap between prompt and suffix');
  }
  const [first, ...more] = Array.isArray(prompt) ? prompt : [prompt];
  return typeof first === 'string' && more.length === 0
    ? first
    : refuseRequest('This model takes one prompt of text');
};

/** @throws a refusal for prompts that are no single text. */
const asChat = (context: TranslationContext): TranslationContext => {
  const { call } = context;
  const messages = [{ role: 'user', content: promptOf(call.body) }];
  return {
    ...context,
    call: {
      ...call,
      operation: 'chat',
      path: '/v1/chat/completions',
      body: { ...without(call.body, completionMembers), messages },
    },
  };
};

const choiceOf = (choice: JsonObject): JsonObject => {
  const produced = isObject(choice.message) ? choice.message : choice.delta;
  return {
    index: choice.index ?? 0,
    text: isObject(produced) ? textAt(produced, 'content') : '',
    logprobs: null,
    finish_reason: choice.finish_reason ?? null,
  };
};

const completion = (body: JsonObject): JsonObject => ({
  ...body,
  object: 'text_completion',
  choices: Array.isArray(body.choices) ? body.choices.filter(isObject).map(choiceOf) : [],
});

const saysSomething = ({ choices, usage }: JsonObject): boolean =>
  isObject(usage) ||
  (Array.isArray(choices) &&
    choices.some((choice) => isObject(choice) && (choice.text !== '' || choice.finish_reason)));

const isList = (produced: readonly JsonObject[] | ApiError): produced is readonly JsonObject[] =>
  Array.isArray(produced);

const completionStream = (stream: StreamTranslation): StreamTranslation => {
  const shown = (produced: readonly JsonObject[] | ApiError): readonly JsonObject[] | ApiError =>
    isList(produced) ? produced.map(completion).filter(saysSomething) : produced;
  return {
    push: (bytes) => shown(stream.push(bytes)),
    end: () => shown(stream.end()),
    usage: () => stream.usage(),
  };
};

const completionReply = (reply: OpenAiReply | ApiError): OpenAiReply | ApiError =>
  'body' in reply && isObject(reply.body) ? { ...reply, body: completion(reply.body) } : reply;

/** Text completions for providers that only chat: the prompt is the user's message. */
export const withCompletions = (chat: TranslatingAdapter): TranslatingAdapter => {
  const isOurs = ({ call }: TranslationContext): boolean => call.operation === 'completions';
  return {
    ...chat,
    operations: [...chat.operations, 'completions'],
    request: (context) =>
      isOurs(context) ? orRefusal(() => chat.request(asChat(context))) : chat.request(context),
    reply: async (reply, context) =>
      isOurs(context)
        ? completionReply(await chat.reply(reply, asChat(context)))
        : chat.reply(reply, context),
    stream: (context) =>
      isOurs(context) ? completionStream(chat.stream(asChat(context))) : chat.stream(context),
  };
};

import type { ApiError } from '../../protocol/api-error.ts';
import type { JsonObject } from '../../protocol/canonical.ts';
import { defined, objectAt, objectsAt, parseObject, textAt } from '../../protocol/json.ts';
import { refuse } from '../../protocol/refusal.ts';
import type { HttpReply, HttpRequest } from '../../upstream/types.ts';
import { unusableReply } from '../shared/failure.ts';
import { picturesAsAsked, providerMembers } from '../shared/images.ts';
import { createdNow } from '../shared/openai-chunks.ts';
import { baseOf, bearer, jsonRequest } from '../shared/outgoing.ts';
import { helperCall } from '../shared/upload.ts';
import type { OpenAiReply, TranslationContext } from '../translate.ts';
import { aliBase } from './chat.ts';
import { aliError } from './failure.ts';

const pollMs = 3_000;
const maxPolls = 20;

/** Newer models answer at once, on the path for mixed content. */
const isSynchronous = (model: string): boolean => /^(qwen-image|wan2\.[5-9])/.test(model);

const contentOf = (body: JsonObject): readonly JsonObject[] => {
  const pictures = Array.isArray(body.image) ? body.image : [body.image];
  const images = pictures.filter((image) => typeof image === 'string').map((image) => ({ image }));
  return [...images, { text: textAt(body, 'prompt') }];
};

const parametersOf = (body: JsonObject): JsonObject => {
  const { negative_prompt: _, image: __, input: ___, ...others } = body;
  return defined({
    size: textAt(body, 'size').replace('x', '*') || undefined,
    n: body.n,
    ...providerMembers(others, 'parameters'),
  });
};

export const imageRequest = (context: TranslationContext): HttpRequest => {
  const { call, channel } = context;
  const { body, upstreamModel: model } = call;
  const base = baseOf(channel, aliBase);
  const parameters = parametersOf(body);
  if (isSynchronous(model)) {
    const { negative_prompt } = body;
    return jsonRequest(context, {
      url: `${base}/api/v1/services/aigc/multimodal-generation/generation`,
      headers: bearer(channel),
      body: {
        model,
        input: { messages: [{ role: 'user', content: contentOf(body) }] },
        parameters: defined({ ...parameters, negative_prompt }),
      },
    });
  }
  const { prompt, negative_prompt } = body;
  return jsonRequest(context, {
    url: `${base}/api/v1/services/aigc/text2image/image-synthesis`,
    headers: { ...bearer(channel), 'x-dashscope-async': 'enable' },
    body: {
      model,
      input: defined({ prompt, negative_prompt, ...objectAt(body, 'input') }),
      parameters,
    },
  });
};

const isRunning = (output: JsonObject): boolean =>
  ['PENDING', 'RUNNING', 'SUSPENDED'].includes(textAt(output, 'task_status'));

const failed = (output: JsonObject): ApiError =>
  aliError(output, 200) ?? {
    status: 502,
    message: `The pictures ended with status ${textAt(output, 'task_status') || 'unknown'}`,
    type: 'upstream_error',
    code: 'image_task_failed',
  };

/** @throws a refusal when the task fails or takes longer than a minute. */
const finished = async (first: JsonObject, context: TranslationContext): Promise<JsonObject> => {
  const { channel, io } = context;
  const taskId = encodeURIComponent(textAt(first, 'task_id'));
  let output = first;
  for (let polls = 0; isRunning(output) && polls < maxPolls; polls += 1) {
    await io.pause(pollMs);
    const answer = await helperCall(io, {
      method: 'GET',
      url: `${baseOf(channel, aliBase)}/api/v1/tasks/${taskId}`,
      headers: { ...bearer(channel), accept: 'application/json' },
    });
    output = objectAt(answer, 'output');
  }
  return textAt(output, 'task_status') === 'SUCCEEDED' ? output : refuse(failed(output));
};

/** Results of a task, or pictures inside the message of a synchronous answer. */
const picturesOf = (output: JsonObject): readonly JsonObject[] => [
  ...objectsAt(output, 'results')
    .filter((result) => textAt(result, 'url') !== '')
    .map((result) =>
      defined({ url: result.url, revised_prompt: result.actual_prompt ?? undefined }),
    ),
  ...objectsAt(output, 'choices')
    .flatMap((choice) => objectsAt(objectAt(choice, 'message'), 'content'))
    .filter((part) => textAt(part, 'image') !== '')
    .map(({ image }) => ({ url: image })),
];

export const imageReply = async (
  { body }: HttpReply,
  context: TranslationContext,
): Promise<OpenAiReply | ApiError> => {
  const answer = parseObject(body.toString('utf8'));
  if (answer === null) return unusableReply();
  const error = aliError(answer, 200);
  if (error !== null) return error;
  const first = objectAt(answer, 'output');
  const output = textAt(first, 'task_id') === '' ? first : await finished(first, context);
  const pictures = picturesOf(output);
  const [refused] = objectsAt(output, 'results');
  if (pictures.length === 0) return failed(refused ?? output);
  return {
    status: 200,
    contentType: 'application/json',
    body: { created: createdNow(context.io), data: await picturesAsAsked(pictures, context) },
    usage: null,
  };
};

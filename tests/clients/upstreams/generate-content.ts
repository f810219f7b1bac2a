import { cachedTokens } from './cached-contents.ts';
import { onlyKnown, proofOf, rule } from './scene.ts';
import type { Reply, Shape, UpstreamCall } from './types.ts';
import {
  event,
  halves,
  type Json,
  objectOf,
  objectsOf,
  sendEvents,
  sendJson,
  textOf,
} from './wire.ts';

const known = [
  ...['contents', 'systemInstruction', 'tools', 'toolConfig', 'generationConfig'],
  ...['safetySettings', 'cachedContent', 'labels', 'serviceTier', 'store'],
];
const knownInConfig = [
  ...['temperature', 'topP', 'topK', 'candidateCount', 'maxOutputTokens', 'stopSequences'],
  ...['responseMimeType', 'responseSchema', 'responseJsonSchema', 'thinkingConfig', 'seed'],
  ...['presencePenalty', 'frequencyPenalty', 'responseModalities', 'mediaResolution'],
  ...['responseLogprobs', 'logprobs', 'speechConfig', 'audioTimestamp', 'imageConfig'],
];
const knownInSchema = [
  ...['type', 'format', 'title', 'description', 'nullable', 'enum', 'maxItems', 'minItems'],
  ...['properties', 'required', 'minProperties', 'maxProperties', 'minLength', 'maxLength'],
  ...['pattern', 'example', 'anyOf', 'propertyOrdering', 'default', 'items', 'minimum'],
  ...['maximum'],
];
const knownInPart = [
  ...['text', 'thought', 'thoughtSignature', 'inlineData', 'fileData', 'functionCall'],
  ...['functionResponse', 'executableCode', 'codeExecutionResult', 'videoMetadata'],
];

/** Older part of the schema language: references and additional properties are unknown. */
const schemaHolds = (schema: unknown): void => {
  const own = objectOf(schema);
  onlyKnown(own, knownInSchema, 'a schema');
  rule(!Array.isArray(own.type), 'Proto field is not repeating, cannot start list: type');
  for (const member of Object.values(objectOf(own.properties))) schemaHolds(member);
  if (own.items !== undefined) schemaHolds(own.items);
  for (const option of objectsOf(own.anyOf)) schemaHolds(option);
};

const declarationsOf = (body: Json): readonly Json[] =>
  objectsOf(body.tools).flatMap((tool) => objectsOf(tool.functionDeclarations));

const skipped = 'skip_thought_signature_validator';
const signatureOf = (name: unknown): string => proofOf(`call of ${textOf(name)}`);

/** The first call of each step since the last prompt is signed; later ones need not be. */
const signaturesHold = (contents: readonly Json[]): void => {
  const prompt = contents.findLastIndex(
    ({ role, parts }) => role === 'user' && objectsOf(parts).some(({ text }) => text !== undefined),
  );
  contents.slice(prompt + 1).forEach(({ parts }, at) => {
    const first = objectsOf(parts).find(({ functionCall }) => functionCall !== undefined);
    if (first === undefined) return;
    const { name } = objectOf(first.functionCall);
    const signature = textOf(first.thoughtSignature);
    rule(
      signature !== '',
      `Function call is missing a thought_signature in functionCall parts, position ${at}`,
    );
    const plain = Buffer.from(signature, 'base64').toString();
    const isOwn = signature === signatureOf(name);
    rule(isOwn || signature === skipped || plain === skipped, 'Corrupted thought signature.');
  });
};

const callsOf = ({ parts }: Json, kind: 'functionCall' | 'functionResponse') =>
  objectsOf(parts).filter((part) => part[kind] !== undefined);

const turnsHold = (contents: readonly Json[]): void => {
  rule(contents.length > 0, 'contents is not specified');
  contents.forEach((content, at) => {
    const { role, parts } = content;
    rule(role === 'user' || role === 'model', 'Please use a valid role: user, model.');
    rule(objectsOf(parts).length > 0, 'contents.parts must not be empty');
    for (const part of objectsOf(parts)) onlyKnown(part, knownInPart, 'a part');
    const asked = callsOf(content, 'functionCall').length;
    if (asked === 0) return;
    const answered = callsOf(contents[at + 1] ?? {}, 'functionResponse').length;
    rule(
      asked === answered,
      'the number of function response parts must equal the number of function call parts',
    );
  });
};

const configHolds = (config: Json): void => {
  onlyKnown(config, knownInConfig, 'generation_config');
  if (config.responseSchema !== undefined) schemaHolds(config.responseSchema);
  const { thinkingBudget, thinkingLevel } = objectOf(config.thinkingConfig);
  rule(
    thinkingBudget === undefined || thinkingLevel === undefined,
    'You can only set only one of thinking budget and thinking level.',
  );
  const levels: readonly unknown[] = [undefined, 'low', 'medium', 'high', 'minimal'];
  const level = typeof thinkingLevel === 'string' ? thinkingLevel.toLowerCase() : thinkingLevel;
  rule(levels.includes(level), `thinking level ${String(level)} is not supported`);
};

const toolsHold = (body: Json): void => {
  for (const own of declarationsOf(body)) {
    rule(/^[a-zA-Z_][\w.:-]{0,63}$/.test(textOf(own.name)), 'Invalid function name.');
    if (own.parameters !== undefined) schemaHolds(own.parameters);
  }
};

const resultText = (part: Json): string => {
  const { response } = objectOf(part.functionResponse);
  return JSON.stringify(response);
};

const joinedText = (parts: unknown): string =>
  objectsOf(parts)
    .map(({ text }) => textOf(text))
    .join('\n');

/** What the API checks, on either of Google's hosts. */
export const readContent = ({ path, body }: UpstreamCall): ReturnType<Shape['read']> => {
  onlyKnown(body, known, 'the body');
  const contents = objectsOf(body.contents);
  const config = objectOf(body.generationConfig);
  configHolds(config);
  toolsHold(body);
  turnsHold(contents);
  signaturesHold(contents);
  const users = contents.filter(({ role }) => role === 'user');
  const parts = users.flatMap((content) => objectsOf(content.parts));
  return {
    cached: cachedTokens(path, body),
    model: /models\/([^:]+)/.exec(path)?.[1] ?? '',
    isStream: path.endsWith(':streamGenerateContent'),
    system: joinedText(objectOf(body.systemInstruction).parts),
    asked: joinedText(parts),
    toolResults: parts.filter((part) => part.functionResponse !== undefined).map(resultText),
    images: parts
      .filter(({ inlineData }) => inlineData !== undefined)
      .map(({ inlineData }) => textOf(objectOf(inlineData).data)),
    tools: declarationsOf(body).map(({ name, parameters, parametersJsonSchema }) => ({
      name: textOf(name),
      schema: parameters ?? parametersJsonSchema ?? {},
    })),
    schema: config.responseSchema ?? config.responseJsonSchema ?? null,
    isThinking: objectOf(config.thinkingConfig).includeThoughts === true,
    proofs: contents
      .flatMap((content) => callsOf(content, 'functionCall'))
      .filter((part) => part.thoughtSignature === signatureOf(objectOf(part.functionCall).name))
      .length,
  };
};

const partsOf = ({ answer }: Reply): readonly Json[] => {
  if (answer.kind === 'failure') return [];
  const before = answer.thought === null ? [] : [{ text: answer.thought, thought: true }];
  if (answer.kind === 'text') return [...before, ...halves(answer.text).map((text) => ({ text }))];
  const { name, input } = answer;
  const call = { functionCall: { name, args: input }, thoughtSignature: signatureOf(name) };
  return [...before, call];
};

const usageOf = ({ counted, conversation: { cached = 0 } }: Reply): Json => {
  const thoughtsTokenCount = 5;
  return {
    promptTokenCount: counted.prompt,
    candidatesTokenCount: counted.completion - thoughtsTokenCount,
    thoughtsTokenCount,
    totalTokenCount: counted.prompt + counted.completion,
    ...(cached === 0 ? {} : { cachedContentTokenCount: cached }),
  };
};

export const sendContent: Shape['send'] = (res, reply) => {
  const answerWith = (parts: readonly Json[], more: Json): Json => ({
    candidates: [{ index: 0, content: { role: 'model', parts }, ...more }],
    usageMetadata: usageOf(reply),
    modelVersion: reply.counted.model,
    responseId: reply.id,
  });
  const parts = partsOf(reply);
  const finished = { finishReason: 'STOP' };
  if (!reply.conversation.isStream) return sendJson(res, 200, answerWith(parts, finished));
  const chunks = parts.map((part, at) =>
    answerWith([part], at === parts.length - 1 ? finished : {}),
  );
  sendEvents(res, chunks.map(event));
};

export const googleFailure: Shape['fail'] = (res, status, message) => {
  const words: Readonly<Record<number, string>> = {
    401: 'UNAUTHENTICATED',
    429: 'RESOURCE_EXHAUSTED',
  };
  const error = { code: status, message, status: words[status] ?? 'INVALID_ARGUMENT' };
  sendJson(res, status, { error });
};

import type { JsonObject } from '../../../protocol/canonical.ts';
import { defined, isObject, objectAt, objectsAt, textAt } from '../../../protocol/json.ts';
import type { ProviderIo } from '../../../upstream/types.ts';
import { toolCall } from '../openai-chunks.ts';
import type { ToolNames } from '../tool-names.ts';
import { PartialCalls } from './partial-calls.ts';

/** The content of one candidate in one event or answer, in OpenAI's terms. */
export type ProducedParts = {
  content: string;
  reasoning: string;
  toolCalls: JsonObject[];
  /** Members of the message or delta in addition to these. */
  extras: JsonObject;
};

export type ReadTools = Readonly<{ names: ToolNames; io: ProviderIo }>;

const signed = (part: JsonObject): JsonObject =>
  part.thoughtSignature === undefined
    ? {}
    : { extra_content: { google: { thought_signature: part.thoughtSignature } } };

const readCall = (produced: ProducedParts, part: JsonObject, { names, io }: ReadTools): void => {
  const call = objectAt(part, 'functionCall');
  const id = textAt(call, 'id') || `call_${io.newId()}`;
  const args = JSON.stringify(isObject(call.args) ? call.args : {});
  produced.toolCalls.push({
    ...toolCall(id, names.down(textAt(call, 'name')), args),
    ...signed(part),
  });
};

const add = (produced: ProducedParts, member: string, value: JsonObject): void => {
  const list = produced.extras[member];
  produced.extras[member] = [...(Array.isArray(list) ? list : []), value];
};

/** Pictures are in the text for readers of text and in `images` for readers of that. */
const readInline = (produced: ProducedParts, part: JsonObject, io: ProviderIo): void => {
  const { mimeType, data } = objectAt(part, 'inlineData');
  const url = `data:${String(mimeType)};base64,${String(data)}`;
  if (String(mimeType).startsWith('image/')) {
    produced.content += `![image](${url})`;
    add(produced, 'images', { type: 'image_url', image_url: { url } });
  } else if (String(mimeType).startsWith('audio/')) {
    produced.extras.audio = { id: `audio_${io.newId()}`, data, transcript: '', format: mimeType };
  } else add(produced, 'provider_content', part);
};

const fenced = (language: string, text: string): string => `\n\`\`\`${language}\n${text}\n\`\`\`\n`;

const readCode = (produced: ProducedParts, part: JsonObject): void => {
  const code = objectAt(part, 'executableCode');
  const result = objectAt(part, 'codeExecutionResult');
  if (typeof code.code === 'string') {
    produced.content += fenced(textAt(code, 'language').toLowerCase(), code.code);
  }
  if (typeof result.output === 'string') produced.content += fenced('output', result.output);
};

const readText = (produced: ProducedParts, part: JsonObject, text: string): void => {
  if (part.thought === true) produced.reasoning += text;
  else produced.content += text;
  if (part.thoughtSignature !== undefined) Object.assign(produced.extras, signed(part));
};

/** What is read of a candidate in addition to its content. */
type Reading = ReadTools & Readonly<{ calls: PartialCalls }>;

const readPart = (produced: ProducedParts, part: JsonObject, tools: Reading): void => {
  if (typeof part.text === 'string') readText(produced, part, part.text);
  else if (isObject(part.functionCall)) {
    const whole = tools.calls.add(part);
    if (whole !== null) readCall(produced, whole, tools);
  } else if (isObject(part.inlineData)) readInline(produced, part, tools.io);
  else if (isObject(part.executableCode) || isObject(part.codeExecutionResult))
    readCode(produced, part);
  else if (Object.keys(part).length > 0) add(produced, 'provider_content', part);
};

const annotations = (candidate: JsonObject): readonly JsonObject[] => {
  const grounding = objectAt(candidate, 'groundingMetadata');
  const chunks = objectsAt(grounding, 'groundingChunks').map((chunk) => objectAt(chunk, 'web'));
  return chunks
    .filter((web) => textAt(web, 'uri') !== '')
    .map((web) => ({
      type: 'url_citation',
      url_citation: defined({ url: web.uri, title: web.title }),
    }));
};

/** `calls` keeps what spans two events of a stream. */
export const readCandidate = (
  candidate: JsonObject,
  tools: ReadTools,
  calls = new PartialCalls(),
): ProducedParts => {
  const produced: ProducedParts = { content: '', reasoning: '', toolCalls: [], extras: {} };
  for (const part of objectsAt(objectAt(candidate, 'content'), 'parts')) {
    readPart(produced, part, { ...tools, calls });
  }
  const broken = typeof candidate.finishReason === 'string' ? calls.end() : null;
  if (broken !== null) readCall(produced, broken, tools);
  const cited = annotations(candidate);
  if (cited.length > 0) produced.extras.annotations = cited;
  return produced;
};

/** What the provider reports about a candidate and OpenAI has no place for. */
export const choiceExtras = (candidate: JsonObject): JsonObject =>
  defined({
    grounding_metadata: candidate.groundingMetadata,
    citation_metadata: candidate.citationMetadata,
    safety_ratings: candidate.safetyRatings,
    url_context_metadata: candidate.urlContextMetadata,
  });

type Chosen = Readonly<{ token: unknown; logProbability: unknown }>;

const bytesOf = (token: unknown): readonly number[] => [...Buffer.from(String(token))];

const logprob = ({ token, logProbability }: Chosen): JsonObject => ({
  token,
  logprob: logProbability,
  bytes: bytesOf(token),
});

const chosenOf = (own: JsonObject): Chosen => ({
  token: own.token,
  logProbability: own.logProbability,
});

/** undefined when the candidate has none. */
export const logprobsOf = (candidate: JsonObject): JsonObject | undefined => {
  const result = objectAt(candidate, 'logprobsResult');
  const chosen = objectsAt(result, 'chosenCandidates');
  if (chosen.length === 0) return undefined;
  const top = objectsAt(result, 'topCandidates');
  const content = chosen.map((own, at) => ({
    ...logprob(chosenOf(own)),
    top_logprobs: objectsAt(top[at] ?? {}, 'candidates').map((other) => logprob(chosenOf(other))),
  }));
  return { content, refusal: null };
};

const finishes: Readonly<Record<string, string>> = {
  STOP: 'stop',
  FINISH_REASON_UNSPECIFIED: 'stop',
  OTHER: 'stop',
  MAX_TOKENS: 'length',
  MALFORMED_FUNCTION_CALL: 'error',
  UNEXPECTED_TOOL_CALL: 'error',
  TOO_MANY_TOOL_CALLS: 'error',
};

/** `error` where the model broke off; every other unknown reason is a filter of theirs. */
export const geminiFinish = (reason: unknown, hasCalls: boolean): string => {
  const finish = finishes[String(reason)] ?? 'content_filter';
  return hasCalls && finish === 'stop' ? 'tool_calls' : finish;
};

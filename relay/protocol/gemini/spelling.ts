/*
 * Protobuf's JSON accepts each member in two spellings, `maxOutputTokens` and `max_output_tokens`
 * (protobuf.dev, ProtoJSON). Bodies are read in the first one: others are rewritten on entry.
 */

/** Members of Google's API whose name has more than one word. */
const members = [
  ...['generationConfig', 'systemInstruction', 'toolConfig', 'safetySettings', 'cachedContent'],
  ...['generateContentRequest', 'functionDeclarations', 'functionCallingConfig', 'displayName'],
  ...['allowedFunctionNames', 'maxOutputTokens', 'candidateCount', 'stopSequences', 'topP', 'topK'],
  ...['responseMimeType', 'responseSchema', 'responseJsonSchema', 'responseModalities'],
  ...['presencePenalty', 'frequencyPenalty', 'responseLogprobs', 'enableEnhancedCivicAnswers'],
  ...['speechConfig', 'voiceConfig', 'prebuiltVoiceConfig', 'voiceName', 'languageCode'],
  ...['multiSpeakerVoiceConfig', 'speakerVoiceConfigs', 'thinkingConfig', 'includeThoughts'],
  ...['thinkingBudget', 'thinkingLevel', 'mediaResolution', 'imageConfig', 'aspectRatio'],
  ...['imageSize', 'inlineData', 'mimeType', 'fileData', 'fileUri', 'functionCall'],
  ...['functionResponse', 'executableCode', 'codeExecutionResult', 'thoughtSignature'],
  ...['videoMetadata', 'startOffset', 'endOffset', 'googleSearch', 'googleSearchRetrieval'],
  ...['googleMaps', 'urlContext', 'codeExecution', 'fileSearch', 'computerUse'],
  ...['dynamicRetrievalConfig', 'dynamicThreshold', 'timeRangeFilter', 'startTime', 'endTime'],
  ...['parametersJsonSchema', 'anyOf', 'maxLength', 'minLength', 'maxItems', 'minItems'],
  ...['maxProperties', 'minProperties', 'propertyOrdering', 'additionalProperties', 'prefixItems'],
  ...['taskType', 'outputDimensionality', 'autoTruncate', 'expireTime', 'retrievalConfig'],
  ...['latLng', 'fileSearchStoreNames', 'metadataFilter', 'excludedPredefinedFunctions'],
  ...['willContinue', 'routingConfig', 'modelSelectionConfig', 'audioTimestamp'],
];
const snakeOf = (name: string): string =>
  name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
const camelOf = new Map(members.map((name) => [snakeOf(name), name]));
const maxName = Math.max(...[...camelOf.keys()].map((name) => name.length));

/** Members with content of the caller, which is not renamed. */
const free: ReadonlySet<string> = new Set([
  ...['args', 'response', 'parametersJsonSchema', 'responseJsonSchema', 'enum', 'default'],
  ...['example', 'labels'],
]);
/** Members of these have the caller's names, and schemas as values. */
const dictionaries: ReadonlySet<string> = new Set(['properties', 'defs', '$defs']);

const underscore = 0x5f;
const quote = 0x22;
const isNameByte = (byte: number): boolean => (byte >= 0x61 && byte <= 0x7a) || byte === underscore;

/** The offset where the name around `at` ends, in steps of 1 or -1: the first byte that is not of it. */
const edgeOf = (body: Buffer, at: number, step: 1 | -1): number => {
  let edge = at;
  while (Math.abs(edge - at) <= maxName && isNameByte(body[edge] ?? 0)) edge += step;
  return edge;
};

/** Whether a string of the body is such a name; it may be a value, which costs a rewrite alone. */
const hasSnakeCase = (body: Buffer): boolean => {
  for (let at = body.indexOf(underscore); at !== -1; ) {
    const [start, end] = [edgeOf(body, at, -1), edgeOf(body, at, 1)];
    const isQuoted = body[start] === quote && body[end] === quote;
    if (isQuoted && camelOf.has(body.toString('latin1', start + 1, end))) return true;
    at = body.indexOf(underscore, end);
  }
  return false;
};

const camelCased = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(camelCased);
  if (typeof value !== 'object' || value === null) return value;
  const result: Record<string, unknown> = {};
  for (const [key, member] of Object.entries(value)) {
    const name = camelOf.get(key) ?? key;
    if (free.has(name)) result[name] = member;
    else if (dictionaries.has(name)) result[name] = schemasIn(member);
    else result[name] = camelCased(member);
  }
  return result;
};

const schemasIn = (value: unknown): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).map(([name, schema]) => [name, camelCased(schema)]))
    : value;

/** The body in the first spelling of each member; as it is where it is no JSON. */
export const withCamelCase = (body: Buffer): Buffer => {
  if (!hasSnakeCase(body)) return body;
  try {
    return Buffer.from(JSON.stringify(camelCased(JSON.parse(body.toString('utf8')))));
  } catch {
    return body;
  }
};

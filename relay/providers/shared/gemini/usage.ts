import type { ReportedUsage } from '../../../../domain/pricing/bound-usage.ts';
import type { JsonObject } from '../../../protocol/canonical.ts';
import { defined, numberAt, objectAt, objectsAt } from '../../../protocol/json.ts';
import { usageObject } from '../openai-chunks.ts';

const count = (usage: JsonObject, member: string): number => numberAt(usage, member) ?? 0;

/** Thoughts are billed as output; what tools brought in as input. */
const promptOf = (usage: JsonObject): number =>
  count(usage, 'promptTokenCount') + count(usage, 'toolUsePromptTokenCount');
const completionOf = (usage: JsonObject): number =>
  count(usage, 'candidatesTokenCount') + count(usage, 'thoughtsTokenCount');

const modality = (usage: JsonObject, member: string, name: string): number | undefined =>
  objectsAt(usage, member)
    .filter((detail) => detail.modality === name)
    .map((detail) => numberAt(detail, 'tokenCount') ?? 0)
    .find((tokens) => tokens > 0);

export const reportedGemini = (usage: JsonObject): ReportedUsage | null => {
  const promptTokens = promptOf(usage);
  const completionTokens = completionOf(usage);
  if (promptTokens === 0 && completionTokens === 0) return null;
  return {
    promptTokens,
    completionTokens,
    reasoningTokens: usage.thoughtsTokenCount,
    cachedTokens: usage.cachedContentTokenCount,
    audioInputTokens: modality(usage, 'promptTokensDetails', 'AUDIO'),
    imageInputTokens: modality(usage, 'promptTokensDetails', 'IMAGE'),
    audioOutputTokens: modality(usage, 'candidatesTokensDetails', 'AUDIO'),
  };
};

const withDetails = (usage: JsonObject, shown: JsonObject): JsonObject => {
  const own = (member: string, source: string): JsonObject =>
    defined({
      ...objectAt(shown, member),
      audio_tokens: modality(usage, source, 'AUDIO'),
      image_tokens: modality(usage, source, 'IMAGE'),
    });
  const prompt = own('prompt_tokens_details', 'promptTokensDetails');
  const completion = own('completion_tokens_details', 'candidatesTokensDetails');
  return {
    ...shown,
    ...(Object.keys(prompt).length === 0 ? {} : { prompt_tokens_details: prompt }),
    ...(Object.keys(completion).length === 0 ? {} : { completion_tokens_details: completion }),
  };
};

/** The same in OpenAI's terms. */
export const shownGemini = (usage: JsonObject): JsonObject => {
  const cached = numberAt(usage, 'cachedContentTokenCount');
  const reasoning = numberAt(usage, 'thoughtsTokenCount');
  const total = numberAt(usage, 'totalTokenCount');
  const shown = usageObject({
    prompt: promptOf(usage),
    completion: completionOf(usage),
    ...(total === null ? {} : { total }),
    ...(cached === null ? {} : { cached }),
    ...(reasoning === null ? {} : { reasoning }),
  });
  return withDetails(usage, shown);
};

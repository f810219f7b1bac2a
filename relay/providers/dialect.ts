import type { ChatDialect } from '../ingress/chat-dialect.ts';

const azureType = 3;
const openAiTypes: ReadonlySet<number> = new Set([1, azureType]);

/** Which members a translated chat may hold for this provider. */
export const dialectOf = (channelType: number, upstreamModel: string): ChatDialect => {
  if (channelType === 14) return 'claude';
  if (channelType === 24) return 'gemini';
  const isClaude = upstreamModel.includes('claude');
  if (channelType === 33) return isClaude ? 'claude' : 'compatible';
  if (channelType === 41) return isClaude ? 'claude' : 'gemini';
  return openAiTypes.has(channelType) ? 'openai' : 'compatible';
};

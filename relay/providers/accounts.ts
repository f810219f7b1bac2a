import { aliAccount } from './ali/account.ts';
import { anthropicAccount } from './anthropic/account.ts';
import { azureAccount } from './azure/account.ts';
import { baiduV2Account } from './baidu-v2/account.ts';
import { bedrockAccount } from './bedrock/account.ts';
import { cloudflareAccount } from './cloudflare/account.ts';
import { cohereAccount } from './cohere/account.ts';
import { deepSeekAccount } from './deepseek/account.ts';
import { fastGptAccount } from './fastgpt/account.ts';
import { geminiAccount } from './gemini/account.ts';
import { moonshotAccount } from './moonshot/account.ts';
import { ollamaAccount } from './ollama/account.ts';
import { openAiAccounts } from './openai/account.ts';
import { openRouterAccount } from './openrouter/account.ts';
import type { ProviderAccount } from './shared/account.ts';
import { siliconFlowAccount } from './siliconflow/account.ts';
import { volcEngineAccount } from './volcengine/account.ts';
import { zhipuAccount } from './zhipu/account.ts';

const accounts: ReadonlyMap<number, ProviderAccount> = new Map([
  ...openAiAccounts,
  [3, azureAccount],
  [4, ollamaAccount],
  [14, anthropicAccount],
  [17, aliAccount],
  [20, openRouterAccount],
  [22, fastGptAccount],
  [24, geminiAccount],
  [25, moonshotAccount],
  [26, zhipuAccount],
  [33, bedrockAccount],
  [34, cohereAccount],
  [39, cloudflareAccount],
  [40, siliconFlowAccount],
  [43, deepSeekAccount],
  [45, volcEngineAccount],
  [46, baiduV2Account],
]);

/** What can be asked about a channel's account; nothing for providers that tell nothing. */
export const accountOf = (channelType: number): ProviderAccount => accounts.get(channelType) ?? {};

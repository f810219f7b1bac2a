import { catalogue, type RelayedSlug } from '../../domain/channel/catalogue.ts';
import type { ProviderFacts } from '../../domain/channel/provider-facts.ts';
import type { ChatDialect } from '../protocol/chat-dialect.ts';
import { aiproxyLibrary } from './aiproxy-library/index.ts';
import { ali } from './ali/index.ts';
import { anthropic } from './anthropic/index.ts';
import { azure } from './azure/index.ts';
import { baidu } from './baidu/index.ts';
import { baiduV2 } from './baidu-v2/index.ts';
import { bedrock } from './bedrock/index.ts';
import { cloudflare } from './cloudflare/index.ts';
import { cohere } from './cohere/index.ts';
import { coze } from './coze/index.ts';
import { custom } from './custom/index.ts';
import { deepseek } from './deepseek/index.ts';
import { dify } from './dify/index.ts';
import { fastgpt } from './fastgpt/index.ts';
import { gemini } from './gemini/index.ts';
import { jina } from './jina/index.ts';
import { lingyiwanwu } from './lingyiwanwu/index.ts';
import { minimax } from './minimax/index.ts';
import { mistral } from './mistral/index.ts';
import { mokaai } from './mokaai/index.ts';
import { moonshot } from './moonshot/index.ts';
import { ollama } from './ollama/index.ts';
import { openai } from './openai/index.ts';
import { openrouter } from './openrouter/index.ts';
import { perplexity } from './perplexity/index.ts';
import { replicate } from './replicate/index.ts';
import type { ProviderAccount } from './shared/account.ts';
import { siliconflow } from './siliconflow/index.ts';
import { tencent } from './tencent/index.ts';
import type { Provider } from './types.ts';
import { vertex } from './vertex/index.ts';
import { volcengine } from './volcengine/index.ts';
import { xai } from './xai/index.ts';
import { xinference } from './xinference/index.ts';
import { xunfei } from './xunfei/index.ts';
import { zhinao } from './zhinao/index.ts';
import { zhipu } from './zhipu/index.ts';
import { zhipuV4 } from './zhipu-v4/index.ts';

type Call<Name extends keyof ProviderAccount> = Required<Pick<ProviderAccount, Name>>;
type Models<F> = F extends { listsModels: true } ? Call<'models'> : { models?: never };
type Balance<F> = F extends { readsBalance: true } ? Call<'balance'> : { balance?: never };

/** The account calls of a provider are those that its facts promise. */
type ProviderFor<F extends ProviderFacts> = Provider &
  (F extends { listsModels: true } | { readsBalance: true }
    ? { account: Models<F> & Balance<F> }
    : { account?: never });

/** A provider that is missing here, or has no facts, stops the build. */
const registry = {
  'aiproxy-library': aiproxyLibrary,
  ali,
  anthropic,
  azure,
  baidu,
  'baidu-v2': baiduV2,
  bedrock,
  cloudflare,
  cohere,
  coze,
  custom,
  deepseek,
  dify,
  fastgpt,
  gemini,
  jina,
  lingyiwanwu,
  minimax,
  mistral,
  mokaai,
  moonshot,
  ollama,
  openai,
  openrouter,
  perplexity,
  replicate,
  siliconflow,
  tencent,
  vertex,
  volcengine,
  xai,
  xinference,
  xunfei,
  zhinao,
  zhipu,
  'zhipu-v4': zhipuV4,
} satisfies { readonly [Slug in RelayedSlug]: ProviderFor<(typeof catalogue)[Slug]> };

/** By name; the folder of a provider has the same one. */
export const registered: Readonly<Record<RelayedSlug, Provider>> = registry;

const byType: (Provider | undefined)[] = [];
for (const slug of Object.keys(registered) as RelayedSlug[]) {
  byType[catalogue[slug].id] = registered[slug];
}

/** The provider behind a channel type; undefined for types that no adapter serves. */
export const providerOf = (channelType: number): Provider | undefined => byType[channelType];

/** Which members a translated chat may hold for this provider. */
export const dialectOf = (channelType: number, upstreamModel: string): ChatDialect =>
  providerOf(channelType)?.dialect?.(upstreamModel) ?? 'compatible';

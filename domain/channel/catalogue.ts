import type { Language } from '../access/language.ts';
import type { ProviderFacts } from './provider-facts.ts';
import { aiproxyLibrary } from './providers/aiproxy-library.ts';
import { ali } from './providers/ali.ts';
import { anthropic } from './providers/anthropic.ts';
import { azure } from './providers/azure.ts';
import { baidu } from './providers/baidu.ts';
import { baiduV2 } from './providers/baidu-v2.ts';
import { bedrock } from './providers/bedrock.ts';
import { cloudflare } from './providers/cloudflare.ts';
import { cohere } from './providers/cohere.ts';
import { coze } from './providers/coze.ts';
import { custom } from './providers/custom.ts';
import { deepseek } from './providers/deepseek.ts';
import { dify } from './providers/dify.ts';
import { doubaoVideo } from './providers/doubao-video.ts';
import { fastgpt } from './providers/fastgpt.ts';
import { gemini } from './providers/gemini.ts';
import { jimeng } from './providers/jimeng.ts';
import { jina } from './providers/jina.ts';
import { kling } from './providers/kling.ts';
import { lingyiwanwu } from './providers/lingyiwanwu.ts';
import { midjourney } from './providers/midjourney.ts';
import { midjourneyPlus } from './providers/midjourney-plus.ts';
import { minimax } from './providers/minimax.ts';
import { mistral } from './providers/mistral.ts';
import { mokaai } from './providers/mokaai.ts';
import { moonshot } from './providers/moonshot.ts';
import { ollama } from './providers/ollama.ts';
import { openai } from './providers/openai.ts';
import { openrouter } from './providers/openrouter.ts';
import { perplexity } from './providers/perplexity.ts';
import { replicate } from './providers/replicate.ts';
import { siliconflow } from './providers/siliconflow.ts';
import { sora } from './providers/sora.ts';
import { submodel } from './providers/submodel.ts';
import { suno } from './providers/suno.ts';
import { tencent } from './providers/tencent.ts';
import { vertex } from './providers/vertex.ts';
import { vidu } from './providers/vidu.ts';
import { volcengine } from './providers/volcengine.ts';
import { xai } from './providers/xai.ts';
import { xinference } from './providers/xinference.ts';
import { xunfei } from './providers/xunfei.ts';
import { zhinao } from './providers/zhinao.ts';
import { zhipu } from './providers/zhipu.ts';
import { zhipuV4 } from './providers/zhipu-v4.ts';
import { retiredProviders } from './retired-providers.ts';

/** In the order of the select. */
export const catalogue = {
  openai,
  midjourney,
  'midjourney-plus': midjourneyPlus,
  suno,
  ollama,
  anthropic,
  bedrock,
  vertex,
  azure,
  cohere,
  cloudflare,
  deepseek,
  baidu,
  'baidu-v2': baiduV2,
  ali,
  xunfei,
  zhipu,
  'zhipu-v4': zhipuV4,
  perplexity,
  gemini,
  xinference,
  moonshot,
  openrouter,
  zhinao,
  tencent,
  lingyiwanwu,
  minimax,
  dify,
  jina,
  siliconflow,
  mistral,
  custom,
  fastgpt,
  'aiproxy-library': aiproxyLibrary,
  mokaai,
  volcengine,
  xai,
  coze,
  replicate,
  kling,
  jimeng,
  vidu,
  submodel,
  'doubao-video': doubaoVideo,
  sora,
} as const satisfies Readonly<Record<string, ProviderFacts>>;

/** A provider by name; the folder of its adapters in the relay has the same one. */
type ProviderSlug = keyof typeof catalogue;

/** Providers whose channels the adapters of the relay serve. */
export type RelayedSlug = {
  [Slug in ProviderSlug]: (typeof catalogue)[Slug]['relay'] extends 'adapter' ? Slug : never;
}[ProviderSlug];

/** Every type of channel, in the order in which they are offered; the retired ones are last. */
export const providers: readonly ProviderFacts[] = [
  ...Object.values(catalogue),
  ...retiredProviders,
];

const byId = new Map(providers.map((provider) => [provider.id, provider]));

export const providerOf = (type: number): ProviderFacts | undefined => byId.get(type);

export const labelOf = ({ label }: ProviderFacts, language: Language): string =>
  typeof label === 'string' ? label : label[language];

/** May a new channel be of this type? */
export const isOffered = ({ relay }: ProviderFacts): boolean => relay !== 'none';

/** The address that a channel of this type calls; no trailing slash. */
export const baseUrlOf = (type: number, own: string): string =>
  own === '' ? (byId.get(type)?.baseUrl ?? '') : own;

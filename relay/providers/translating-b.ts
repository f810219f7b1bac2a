import { zhinao } from './360/index.ts';
import { aiProxyLibrary } from './aiproxy-library/index.ts';
import { ali } from './ali/index.ts';
import { baidu } from './baidu/index.ts';
import { baiduV2 } from './baidu-v2/index.ts';
import { coze } from './coze/index.ts';
import { custom } from './custom/index.ts';
import { dify } from './dify/index.ts';
import { fastGpt } from './fastgpt/index.ts';
import { jina } from './jina/index.ts';
import { lingYiWanWu } from './lingyiwanwu/index.ts';
import { miniMax } from './minimax/index.ts';
import { mokaAi } from './mokaai/index.ts';
import { moonshot } from './moonshot/index.ts';
import { translatingOpenAi } from './openai/translating.ts';
import { withCompletions } from './shared/completions-over-chat.ts';
import { siliconFlow } from './siliconflow/index.ts';
import { tencent } from './tencent/index.ts';
import type { TranslatingAdapter } from './translate.ts';
import { volcEngine } from './volcengine/index.ts';
import { xinference } from './xinference/index.ts';
import { xunfei } from './xunfei/index.ts';
import { zhipu, zhipuLegacy } from './zhipu/index.ts';

/** Adapters by channel type: OpenAI and its kin, and the providers of China. */
export const translatingProviders: ReadonlyMap<number, TranslatingAdapter> = new Map([
  ...translatingOpenAi,
  [8, custom],
  [15, withCompletions(baidu)],
  [16, withCompletions(zhipuLegacy)],
  [17, withCompletions(ali)],
  [18, withCompletions(xunfei)],
  [19, zhinao],
  [21, withCompletions(aiProxyLibrary)],
  [22, withCompletions(fastGpt)],
  [23, withCompletions(tencent)],
  [25, moonshot],
  [26, withCompletions(zhipu)],
  [31, lingYiWanWu],
  [35, withCompletions(miniMax)],
  [37, withCompletions(dify)],
  [38, jina],
  [40, siliconFlow],
  [44, mokaAi],
  [45, withCompletions(volcEngine)],
  [46, withCompletions(baiduV2)],
  [47, xinference],
  [49, withCompletions(coze)],
]);

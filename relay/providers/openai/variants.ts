/** How one channel type differs from plain OpenAI rules (provider sheet, sections 1 to 3). */
export type Variant = Readonly<{
  type: number;
  name: string;
  owner: string;
  /** "" when the operator must give one. */
  baseUrl: string;
  /**
   * What happens to `stream_options`: asked for usage (`inject`), left as the client sent it
   * (`keep`), or taken out because the provider refuses it (`remove`).
   */
  streamOptions: 'inject' | 'keep' | 'remove';
  /** Paths that differ from the caller's. */
  paths?: Readonly<Record<string, string>>;
  /** The base URL is the whole URL, with `{model}` in place of the name. */
  fullUrl?: true;
  /** Sends which site calls. */
  siteHeaders?: true;
  /** `completion_tokens` leaves reasoning out; total less prompt is what was produced. */
  completionFromTotal?: true;
}>;

const inject = 'inject' as const;

export const variants: readonly Variant[] = [
  {
    type: 1,
    name: 'openai',
    owner: 'openai',
    baseUrl: 'https://api.openai.com',
    streamOptions: inject,
  },
  {
    type: 6,
    name: 'openaimax',
    owner: 'openai',
    baseUrl: 'https://api.openaimax.com',
    streamOptions: inject,
  },
  {
    type: 7,
    name: 'ohmygpt',
    owner: 'openai',
    baseUrl: 'https://api.ohmygpt.com',
    streamOptions: inject,
  },
  { type: 8, name: 'custom', owner: 'custom', baseUrl: '', streamOptions: inject, fullUrl: true },
  {
    type: 9,
    name: 'ails',
    owner: 'openai',
    baseUrl: 'https://api.caipacity.com',
    streamOptions: inject,
  },
  {
    type: 10,
    name: 'ai-proxy',
    owner: 'openai',
    baseUrl: 'https://api.aiproxy.io',
    streamOptions: inject,
  },
  {
    type: 12,
    name: 'api2gpt',
    owner: 'openai',
    baseUrl: 'https://api.api2gpt.com',
    streamOptions: inject,
  },
  {
    type: 13,
    name: 'aigc2d',
    owner: 'openai',
    baseUrl: 'https://api.aigc2d.com',
    streamOptions: inject,
  },
  { type: 19, name: '360', owner: '360', baseUrl: 'https://api.360.cn', streamOptions: 'keep' },
  {
    type: 20,
    name: 'openrouter',
    owner: 'openrouter',
    baseUrl: 'https://openrouter.ai/api',
    streamOptions: inject,
    siteHeaders: true,
  },
  {
    type: 25,
    name: 'moonshot',
    owner: 'moonshot',
    baseUrl: 'https://api.moonshot.cn',
    streamOptions: inject,
  },
  {
    type: 31,
    name: 'yi',
    owner: '01.ai',
    baseUrl: 'https://api.lingyiwanwu.com',
    streamOptions: 'keep',
  },
  {
    type: 40,
    name: 'siliconflow',
    owner: 'siliconflow',
    baseUrl: 'https://api.siliconflow.cn',
    streamOptions: inject,
  },
  {
    type: 42,
    name: 'mistral',
    owner: 'mistralai',
    baseUrl: 'https://api.mistral.ai',
    streamOptions: 'remove',
  },
  {
    type: 43,
    name: 'deepseek',
    owner: 'deepseek',
    baseUrl: 'https://api.deepseek.com',
    streamOptions: inject,
    paths: { '/v1/completions': '/beta/completions' },
  },
  { type: 47, name: 'xinference', owner: 'xinference', baseUrl: '', streamOptions: inject },
  {
    type: 48,
    name: 'xai',
    owner: 'xai',
    baseUrl: 'https://api.x.ai',
    streamOptions: inject,
    completionFromTotal: true,
  },
];

import type { TagColour } from '../../../shared/format/colour.ts';

export type ChannelType = Readonly<{ id: number; label: string; colour: TagColour }>;

const type = (id: number, label: string, colour: TagColour): ChannelType => ({ id, label, colour });

/** In the order of the select. Labels are the providers' own names, the same in every language. */
export const channelTypes: readonly ChannelType[] = [
  type(1, 'OpenAI', 'green'),
  type(2, 'Midjourney Proxy', 'light-blue'),
  type(5, 'Midjourney Proxy Plus', 'blue'),
  type(36, 'Suno API', 'purple'),
  type(4, 'Ollama', 'grey'),
  type(14, 'Anthropic Claude', 'indigo'),
  type(33, 'AWS Claude', 'indigo'),
  type(41, 'Vertex AI', 'blue'),
  type(3, 'Azure OpenAI', 'teal'),
  type(34, 'Cohere', 'purple'),
  type(39, 'Cloudflare', 'grey'),
  type(43, 'DeepSeek', 'blue'),
  type(15, '百度文心千帆', 'blue'),
  type(46, '百度文心千帆V2', 'blue'),
  type(17, '阿里通义千问', 'orange'),
  type(18, '讯飞星火认知', 'blue'),
  type(16, '智谱 ChatGLM', 'violet'),
  type(26, '智谱 GLM-4V', 'purple'),
  type(24, 'Google Gemini', 'orange'),
  type(11, 'Google PaLM2', 'orange'),
  type(47, 'Xinference', 'blue'),
  type(25, 'Moonshot', 'green'),
  type(20, 'OpenRouter', 'green'),
  type(19, '360 智脑', 'blue'),
  type(23, '腾讯混元', 'teal'),
  type(31, '零一万物', 'green'),
  type(35, 'MiniMax', 'green'),
  type(37, 'Dify', 'teal'),
  type(38, 'Jina', 'blue'),
  type(40, 'SiliconCloud', 'purple'),
  type(42, 'Mistral AI', 'blue'),
  type(8, '自定义渠道', 'pink'),
  type(22, '知识库：FastGPT', 'blue'),
  type(21, '知识库：AI Proxy', 'purple'),
  type(44, '嵌入模型：MokaAI M3E', 'purple'),
  type(45, '字节火山方舟、豆包、DeepSeek通用', 'blue'),
  type(48, 'xAI', 'blue'),
  type(49, 'Coze', 'blue'),
];

export const channelTypeOf = (id: number): ChannelType | undefined =>
  channelTypes.find((known) => known.id === id);

/** Types whose provider names what it can do by fixed actions, not by models. */
export const fixedModels: Readonly<Record<number, readonly string[]>> = {
  2: [
    'mj_imagine',
    'mj_variation',
    'mj_reroll',
    'mj_blend',
    'mj_upscale',
    'mj_describe',
    'mj_upload',
  ],
  5: [
    'swap_face',
    'mj_imagine',
    'mj_variation',
    'mj_reroll',
    'mj_blend',
    'mj_upscale',
    'mj_describe',
    'mj_zoom',
    'mj_shorten',
    'mj_modal',
    'mj_inpaint',
    'mj_custom_zoom',
    'mj_high_variation',
    'mj_low_variation',
    'mj_pan',
    'mj_upload',
  ],
  36: ['suno_music', 'suno_lyrics'],
};

/** How a key with several parts is written. */
export const keyForms: Readonly<Record<number, string>> = {
  15: 'APIKey|SecretKey',
  18: 'APPID|APISecret|APIKey',
  22: 'APIKey-AppId',
  23: 'AppId|SecretId|SecretKey',
  33: 'Ak|Sk|Region',
};

/** Types whose field `other` means something; the word says what. */
const otherMeanings = {
  3: 'api-version',
  18: 'model-version',
  21: 'knowledge-base',
  39: 'account-id',
  41: 'region',
  49: 'agent-id',
} as const;
export type OtherMeaning = (typeof otherMeanings)[keyof typeof otherMeanings];
export const otherMeaningOf = (type: number): OtherMeaning | undefined =>
  Object.entries(otherMeanings).find(([id]) => Number(id) === type)?.[1];

/** Types with a warning of their own above the form. */
const warnedTypes = [3, 8, 37] as const;
export type WarnedType = (typeof warnedTypes)[number];
export const isWarnedType = (type: number): type is WarnedType =>
  warnedTypes.some((known) => known === type);

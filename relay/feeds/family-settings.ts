type Texts = ReadonlyMap<string, string>;

const objectOf = (text: string | undefined): Readonly<Record<string, unknown>> => {
  if (text === undefined) return {};
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value))
      : {};
  } catch {
    return {};
  }
};

const picked = <T>(
  text: string | undefined,
  isRight: (value: unknown) => value is T,
): Readonly<Record<string, T>> => {
  const own: Record<string, T> = {};
  for (const [key, value] of Object.entries(objectOf(text))) if (isRight(value)) own[key] = value;
  return own;
};

const isText = (value: unknown): value is string => typeof value === 'string';
const isCount = (value: unknown): value is number => typeof value === 'number' && value > 0;
const isHeaders = (value: unknown): value is Readonly<Record<string, readonly string[]>> =>
  typeof value === 'object' &&
  value !== null &&
  Object.values(value).every((list) => Array.isArray(list) && list.every(isText));

const share = (text: string | undefined, otherwise: number): number => {
  const value = Number(text ?? otherwise);
  return value >= 0.1 && value <= 1 ? value : otherwise;
};

const names = (text: string | undefined, otherwise: readonly string[]): readonly string[] => {
  if (text === undefined) return otherwise;
  try {
    const list: unknown = JSON.parse(text);
    return Array.isArray(list) ? list.filter(isText) : otherwise;
  } catch {
    return otherwise;
  }
};

const safety = '{"default":"OFF","HARM_CATEGORY_CIVIC_INTEGRITY":"BLOCK_NONE"}';
const versions = '{"default":"v1beta","gemini-1.0-pro":"v1"}';
const painters = ['gemini-2.0-flash-exp-image-generation', 'gemini-2.0-flash-exp'];

/** Options of provider families (infra/reference/providers.md, sections 7 and 9). */
export const familySettingsOf = (texts: Texts): FamilySettings => ({
  claude: {
    modelHeaders: picked(texts.get('claude.model_headers_settings'), isHeaders),
    defaultMaxTokens: {
      default: 8_192,
      ...picked(texts.get('claude.default_max_tokens'), isCount),
    },
    thinkingAdapter: texts.get('claude.thinking_adapter_enabled') !== 'false',
    thinkingBudgetShare: share(texts.get('claude.thinking_adapter_budget_tokens_percentage'), 0.8),
  },
  gemini: {
    safetySettings: picked(texts.get('gemini.safety_settings') ?? safety, isText),
    versionSettings: picked(texts.get('gemini.version_settings') ?? versions, isText),
    imagineModels: names(texts.get('gemini.supported_imagine_models'), painters),
    thinkingAdapter: texts.get('gemini.thinking_adapter_enabled') === 'true',
    thinkingBudgetShare: share(texts.get('gemini.thinking_adapter_budget_tokens_percentage'), 0.6),
  },
  site: {
    address: texts.get('ServerAddress') ?? '',
    name: texts.get('SystemName') ?? 'Tollgate',
  },
});

/** Settings of provider families, read from the operator's options. */
export type FamilySettings = Readonly<{
  claude: Readonly<{
    modelHeaders: Readonly<Record<string, Readonly<Record<string, readonly string[]>>>>;
    defaultMaxTokens: Readonly<Record<string, number>>;
    thinkingAdapter: boolean;
    thinkingBudgetShare: number;
  }>;
  gemini: Readonly<{
    safetySettings: Readonly<Record<string, string>>;
    versionSettings: Readonly<Record<string, string>>;
    imagineModels: readonly string[];
    thinkingAdapter: boolean;
    thinkingBudgetShare: number;
  }>;
  /** Whether callers are sent the steps of a workflow as reasoning; true when absent. */
  dify?: Readonly<{ showSteps: boolean }>;
  /** Which site calls, for providers that keep a list of their callers. */
  site?: Readonly<{ address: string; name: string }>;
}>;

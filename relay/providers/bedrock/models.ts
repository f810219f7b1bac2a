type Region = 'us' | 'eu' | 'ap';

/** Ids of models whose name does not follow the rule below. */
const odd: Readonly<Record<string, string>> = {
  'claude-instant-1.2': 'anthropic.claude-instant-v1',
  'claude-2.0': 'anthropic.claude-v2',
  'claude-2.1': 'anthropic.claude-v2:1',
  'claude-3-5-sonnet-20241022': 'anthropic.claude-3-5-sonnet-20241022-v2:0',
  'claude-opus-4-6': 'anthropic.claude-opus-4-6-v1',
};

/** Regions in which a model is served across regions; newer models exist in no other way. */
const crossRegion: Readonly<Record<string, readonly Region[]>> = {
  'claude-3-sonnet-20240229': ['us', 'eu', 'ap'],
  'claude-3-haiku-20240307': ['us', 'eu', 'ap'],
  'claude-3-5-sonnet-20240620': ['us', 'eu', 'ap'],
  'claude-3-5-sonnet-20241022': ['us', 'ap'],
  'claude-3-opus-20240229': ['us'],
  'claude-3-5-haiku-20241022': ['us'],
  'claude-3-7-sonnet-20250219': ['us'],
};

const prefixes: Readonly<Record<Region, string>> = { us: 'us.', eu: 'eu.', ap: 'apac.' };

const isOfFour = (model: string): boolean => /^claude-(opus|sonnet|haiku)-[4-9]/.test(model);
const isDated = (model: string): boolean => /^claude-.*-\d{8}$/.test(model);

const plainId = (model: string): string => {
  const id = odd[model];
  if (id !== undefined) return id;
  if (isDated(model)) return `anthropic.${model}-v1:0`;
  return isOfFour(model) ? `anthropic.${model}` : model;
};

const regionOf = (region: string): Region | null => {
  const [first] = region.split('-');
  return first === 'us' || first === 'eu' || first === 'ap' ? first : null;
};

/** The id of a model in a region; unknown names are ids of profiles or of models. */
export const modelId = (model: string, region: string): string => {
  const id = plainId(model);
  const own = regionOf(region);
  if (id === model || own === null) return id;
  const isServed = isOfFour(model) || crossRegion[model]?.includes(own) === true;
  return isServed ? prefixes[own] + id : id;
};

/** Only these have the Messages protocol; all others are reached by the common one. */
export const isClaude = (id: string): boolean => id.includes('anthropic.') || id.includes('claude');

/** Options whose change changes what calls cost. */
export const previewedOptions = [
  'ModelPrice',
  'ModelRatio',
  'CompletionRatio',
  'CacheRatio',
  'AudioRatio',
  'AudioCompletionRatio',
  'ImageRatio',
  'GroupRatio',
] as const;

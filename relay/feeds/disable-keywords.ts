/** Phrases of providers that say "this key is of no more use" (relay sheet, section 12). */
export const defaultAutomaticDisableKeywords: readonly string[] = [
  'credit balance is too low',
  'organization has been disabled',
  'exceeded your current quota',
  'permission denied',
  'security token included in the request is invalid',
  'operation not allowed',
  'account is not authorized',
];

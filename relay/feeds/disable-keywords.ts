/** Phrases of providers for a key that no longer works (infra/reference/protocols.md, section 11.1). */
export const defaultAutomaticDisableKeywords: readonly string[] = [
  'credit balance is too low',
  'organization has been disabled',
  'exceeded your current quota',
  'permission denied',
  'security token included in the request is invalid',
  'operation not allowed',
  'account is not authorized',
];

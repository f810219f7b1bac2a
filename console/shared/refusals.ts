/** The field of a form that a refusal is about, by the code of the refusal. */
export type RefusedFields = Readonly<Record<string, string>>;

const at = (field: string, codes: readonly string[]): RefusedFields =>
  Object.fromEntries(codes.map((code) => [code, field]));

export const userNameAt = (field: string): RefusedFields =>
  at(field, ['user.name-invalid', 'user.name-invisible', 'user.name-lookalike', 'user.name-taken']);

export const newPasswordAt = (field: string): RefusedFields =>
  at(field, [
    'user.password-blank',
    'user.password-common',
    'user.password-too-long',
    'user.password-too-short',
    'user.password-unchanged',
  ]);

export const emailAt = (field: string): RefusedFields =>
  at(field, [
    'user.email-invalid',
    'user.email-taken',
    'user.email-unknown',
    'user.email-alias-not-allowed',
    'user.email-domain-not-allowed',
  ]);

export const emailCodeAt = (field: string): RefusedFields =>
  at(field, ['user.email-code-needed', 'user.email-code-wrong']);

/** A header of a request as Node gives it. */
type Header = string | readonly string[] | undefined;

/**
 * The header New-Api-User has to hold the id of the signed-in user (infra/reference/console-rules.md,
 * section 4); null where it does.
 */
export const userHeaderRefusal = (header: Header, userId: number) => {
  if (header === undefined) return 'auth.user-header-missing';
  const text = String(header).trim();
  if (!/^-?\d+$/.test(text)) return 'auth.user-header-malformed';
  return Number(text) === userId ? null : 'auth.user-header-mismatch';
};

/** Loaded at first use: the list is long and rarely needed. */
let common: Promise<ReadonlySet<string>> | null = null;

const loadCommon = async (): Promise<ReadonlySet<string>> => {
  const { dictionary } = await import('@zxcvbn-ts/language-common');
  return new Set(dictionary['passwords-common']);
};

/** Is it among the passwords that are tried first? Case and blanks around it make no difference. */
export const isCommonPassword = async (password: string): Promise<boolean> => {
  common ??= loadCommon();
  const list = await common;
  return list.has(password.trim().toLowerCase());
};

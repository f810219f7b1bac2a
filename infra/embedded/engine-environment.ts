/** Where programs and their libraries are, and how text is written: all that an engine needs. */
const passedOn = ['PATH', 'HOME', 'LANG', 'LC_ALL', 'TZ', 'TMPDIR', 'LD_LIBRARY_PATH', 'LOG_LEVEL'];

/**
 * The environment of an engine, without the keys and passwords that ours may hold: another user runs
 * PostgreSQL under root, and may read what it was started with.
 */
export const engineEnvironment = (
  extra: Readonly<Record<string, string>> = {},
): NodeJS.ProcessEnv => {
  // biome-ignore lint/style/noProcessEnv: handed on, not read; none of these is a setting of the product but LOG_LEVEL, checked by the parent.
  const own = process.env;
  const kept = Object.keys(own).filter(
    (name) => passedOn.includes(name) || name.startsWith('TOLLGATE_') || name.startsWith('NODE_'),
  );
  return { ...Object.fromEntries(kept.map((name) => [name, own[name]])), ...extra };
};

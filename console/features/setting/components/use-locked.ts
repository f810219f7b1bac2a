import { roles } from '../../../../projections/contract/codes.ts';
import { useStoredUser } from '../../../shared/session.ts';
import { useOptionRules } from '../api/options.ts';

const secretRule = { writer: roles.root };

/** Those of these options that the user who is signed in may read and not write. */
export const useLocked = <K extends string>(keys: readonly K[]): readonly K[] => {
  const rules = useOptionRules();
  const role = useStoredUser()?.role ?? 0;
  // Secrets are not in the list; they are the super admin's.
  return keys.filter((key) => role < (rules.get(key) ?? secretRule).writer);
};

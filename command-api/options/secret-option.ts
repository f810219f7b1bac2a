import type { OptionKey } from '../../domain/option/table.ts';
import { optionPlace, type Sealed } from '../../domain/shared/sealed.ts';
import type { Vault } from '../../infra/ports/vault.ts';

/** What a secret option holds; "" while the operator has not set it. */
export const openSecret = (
  vault: Vault,
  secrets: ReadonlyMap<string, Sealed>,
  key: OptionKey,
): string => {
  const sealed = secrets.get(key);
  return sealed === undefined ? '' : vault.unseal(sealed, optionPlace(key));
};

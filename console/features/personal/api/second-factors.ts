import type { PublicKeyCredentialCreationOptionsJSON } from '@simplewebauthn/browser';
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { SecondFactorList } from '../../../../projections/contract/user.ts';
import { deleteJson, getJson, postJson, putJson } from '../../../shared/api/client.ts';
import { passkeys } from '../../../shared/second-factor/api.ts';

export type { SecondFactorList };
export type ListedPasskey = SecondFactorList['passkeys'][number];

const base = '/api/user/second_factors';
const factorsQuery = queryOptions({
  queryKey: ['user', 'second-factors'],
  queryFn: () => getJson<SecondFactorList>(base),
});

export const useSecondFactors = () => useQuery(factorsQuery);

const useChange = <T, R>(mutationFn: (input: T) => Promise<R>) => {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn,
    onSuccess: () => queryClient.invalidateQueries({ queryKey: factorsQuery.queryKey }),
  });
};

export type NewTotp = Readonly<{ token: string; secret: string; uri: string }>;
/** Codes that came with the first factor; none with later ones. */
export type Enrolled = Readonly<{ recovery_codes: readonly string[] }>;

export const useBeginTotp = () =>
  useMutation({ mutationFn: () => postJson<NewTotp>(`${base}/totp`, {}) });

export const useEnrolTotp = () =>
  useChange((proof: Readonly<{ token: string; code: string }>) =>
    putJson<Enrolled>(`${base}/totp`, proof),
  );

export const useRemoveTotp = () => useChange(() => deleteJson(`${base}/totp`));

type PasskeyQuestion = Readonly<{ token: string; options: PublicKeyCredentialCreationOptionsJSON }>;

/** The browser refused or the user closed its dialog; the server was not asked. */
export class PasskeyNotMade extends Error {
  override readonly name = 'PasskeyNotMade';
}

const makePasskey = async (optionsJSON: PublicKeyCredentialCreationOptionsJSON) => {
  const { startRegistration } = await passkeys();
  try {
    return await startRegistration({ optionsJSON });
  } catch (cause) {
    throw new PasskeyNotMade('no passkey was made', { cause });
  }
};

export const useAddPasskey = () => {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async (name: string) => {
      const { token, options } = await postJson<PasskeyQuestion>(`${base}/passkey_options`, {});
      const credential = await makePasskey(options);
      return postJson<Enrolled>(`${base}/passkeys`, { token, name, credential });
    },
    onSuccess: () => queryClient.invalidateQueries({ queryKey: factorsQuery.queryKey }),
    meta: { isQuiet: true },
  });
};

const passkeyAt = (id: string): string => `${base}/passkeys/${encodeURIComponent(id)}`;

export const useRenamePasskey = () =>
  useChange(({ id, name }: Readonly<{ id: string; name: string }>) =>
    putJson(passkeyAt(id), { name }),
  );

export const useRemovePasskey = () => useChange((id: string) => deleteJson(passkeyAt(id)));

export const useNewRecoveryCodes = () =>
  useChange(() => postJson<Enrolled>(`${base}/recovery_codes`, {}));

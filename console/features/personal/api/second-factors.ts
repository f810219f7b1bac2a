import type { PublicKeyCredentialCreationOptionsJSON } from '@simplewebauthn/browser';
import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import type { SecondFactorList } from '../../../../projections/contract/user.ts';
import { call } from '../../../shared/api/client.ts';
import type { BodyOf, DataOf } from '../../../shared/api/routes.ts';
import { passkeys } from '../../../shared/second-factor/api.ts';

export type { SecondFactorList };
export type ListedPasskey = SecondFactorList['passkeys'][number];

const factorsQuery = queryOptions({
  queryKey: ['user', 'second-factors'],
  queryFn: () => call('GET /api/user/second_factors'),
});

export const useSecondFactors = () => useQuery(factorsQuery);

const useChange = <T, R>(mutationFn: (input: T) => Promise<R>) => {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn,
    onSuccess: () => queryClient.invalidateQueries({ queryKey: factorsQuery.queryKey }),
  });
};

export type NewTotp = DataOf<'POST /api/user/second_factors/totp'>;
/** Codes that are issued with the first factor; none with later ones. */
export type Enrolled = DataOf<'PUT /api/user/second_factors/totp'>;

export const useBeginTotp = () =>
  useMutation({ mutationFn: () => call('POST /api/user/second_factors/totp') });

export const useEnrolTotp = () =>
  useChange((body: BodyOf<'PUT /api/user/second_factors/totp'>) =>
    call('PUT /api/user/second_factors/totp', { body }),
  );

export const useRemoveTotp = () => useChange(() => call('DELETE /api/user/second_factors/totp'));

/** The browser refused or the user closed its dialog; the server was not called. */
export class PasskeyNotMade extends Error {
  override readonly name = 'PasskeyNotMade';
}

type Options = DataOf<'POST /api/user/second_factors/passkey_options'>['options'];

const makePasskey = async (options: Options) => {
  const { startRegistration } = await passkeys();
  try {
    return await startRegistration({
      optionsJSON: options as Options & PublicKeyCredentialCreationOptionsJSON,
    });
  } catch (cause) {
    throw new PasskeyNotMade('no passkey was made', { cause });
  }
};

export const useAddPasskey = () => {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn: async (name: string) => {
      const { token, options } = await call('POST /api/user/second_factors/passkey_options');
      const credential = await makePasskey(options);
      return call('POST /api/user/second_factors/passkeys', { body: { token, name, credential } });
    },
    onSuccess: () => queryClient.invalidateQueries({ queryKey: factorsQuery.queryKey }),
    meta: { isQuiet: true },
  });
};

export const useRenamePasskey = () =>
  useChange(({ id, name }: Readonly<{ id: string; name: string }>) =>
    call('PUT /api/user/second_factors/passkeys/:id', { params: { id }, body: { name } }),
  );

export const useRemovePasskey = () =>
  useChange((id: string) =>
    call('DELETE /api/user/second_factors/passkeys/:id', { params: { id } }),
  );

export const useNewRecoveryCodes = () =>
  useChange(() => call('POST /api/user/second_factors/recovery_codes'));

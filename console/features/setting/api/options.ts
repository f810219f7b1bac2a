import { queryOptions, useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import i18next from 'i18next';
import type { OptionRow } from '../../../../projections/contract/option.ts';
import { ApiError } from '../../../shared/api/api-error.ts';
import { call } from '../../../shared/api/client.ts';
import { isRecord } from '../../../shared/local-values.ts';
import { statusQuery } from '../../../shared/status.ts';
import { toast } from '../../../shared/toast.ts';

/** All but secrets; every value is text. */
export type Options = ReadonlyMap<string, string>;
export type OptionChange = Readonly<{
  key: string;
  value: string;
  /** The secret that is sent to the target of this option, entered again. */
  secret?: string;
  reason?: string;
}>;
/** Who writes an option, within which bounds, and which stored secret is sent to its target. */
export type OptionRule = Readonly<Pick<OptionRow, 'writer' | 'secret' | 'min' | 'max'>>;
export type OptionRules = ReadonlyMap<string, OptionRule>;

const key = ['option'];

const optionsQuery = queryOptions({
  queryKey: key,
  queryFn: () => call('GET /api/option/'),
});
const valuesOf = (rows: readonly OptionRow[]): Options =>
  new Map(rows.map((row) => [row.key, row.value]));
const rulesOf = (rows: readonly OptionRow[]): OptionRules =>
  new Map(rows.map((row) => [row.key, row]));
const noRules: OptionRules = new Map();

export const useOptions = () => useQuery({ ...optionsQuery, select: valuesOf });
export const useOptionRules = (): OptionRules =>
  useQuery({ ...optionsQuery, select: rulesOf }).data ?? noRules;

const useOptionCall = <T>(mutationFn: (input: T) => Promise<void>, isQuiet = false) => {
  const queryClient = useQueryClient();
  return useMutation({
    mutationFn,
    meta: { isQuiet },
    onSettled: async () => {
      await queryClient.invalidateQueries({ queryKey: key });
      await queryClient.invalidateQueries({ queryKey: statusQuery.queryKey });
    },
  });
};

/** In addition to the reason of the refusal, which is shown as for every call. */
const reportPartlySaved = () => toast('warning', i18next.t('setting:partly-saved'));

const reportForgotten = (secret: string) =>
  toast('warning', i18next.t('setting:secret-forgotten', { secret }));

const isSwitch = ({ value }: OptionChange) => value === 'true' || value === 'false';

/** Saves in parallel. @throws the first refusal, when all answers are there */
const saveTogether = async (
  changes: readonly OptionChange[],
  put: (change: OptionChange) => Promise<void>,
): Promise<void> => {
  const answers = await Promise.allSettled(changes.map(put));
  const refused = answers.find((answer) => answer.status === 'rejected');
  if (refused) throw refused.reason;
};

type SaveSettings = Readonly<{
  /** The caller shows what was refused, and other failures too. */
  onRefused?: (change: OptionChange, message: string) => void;
}>;

/**
 * One call for each option: plain ones at the same moment, then secrets, which belong to what was
 * just saved, then switches one after the other, as a switch may need the others. What was saved
 * before a refusal stays saved.
 */
export const useSaveOptions = ({ onRefused }: SaveSettings = {}) => {
  const rules = useOptionRules();
  const isQuiet = onRefused !== undefined;
  return useOptionCall(async (changes: readonly OptionChange[]) => {
    let saved = 0;
    const put = async (change: OptionChange) => {
      const answer = await call('PUT /api/option/', { body: change }).catch((error: unknown) => {
        if (error instanceof ApiError && error.kind === 'refused') {
          onRefused?.(change, error.message);
        }
        throw error;
      });
      saved += 1;
      if (answer?.secret_needed) reportForgotten(answer.secret_needed);
    };
    // The list has every option but secrets.
    const isSecret = (change: OptionChange) => !rules.has(change.key);
    const plain = changes.filter((change) => !isSwitch(change) && !isSecret(change));
    const secrets = changes.filter((change) => !isSwitch(change) && isSecret(change));
    try {
      await saveTogether(plain, put);
      await saveTogether(secrets, put);
      for (const change of changes.filter(isSwitch)) await put(change);
    } catch (error) {
      if (saved > 0) reportPartlySaved();
      throw error;
    }
  }, isQuiet);
};

export const useResetRatios = () =>
  useOptionCall<void>(() => call('POST /api/option/rest_model_ratio'));

/** How many entries go. */
export const useClearLog = () =>
  useMutation({
    mutationFn: (before: number) =>
      call('DELETE /api/log/', { query: { target_timestamp: before } }),
  });

/** Models that a channel serves, priced or not. */
export const useEnabledModels = () =>
  useQuery({
    queryKey: ['option', 'models-enabled'],
    queryFn: () => call('GET /api/channel/models_enabled'),
  });

/** The content of another site, outside of our own API. @throws when it contains nothing of use. */
const readForeign = async (address: string): Promise<Record<string, unknown>> => {
  const response = await fetch(address, { credentials: 'omit' });
  const body: unknown = response.ok ? await response.json() : null;
  if (!isRecord(body)) throw new Error(`nothing of use at ${address}`);
  return body;
};
const textIn = (body: Record<string, unknown>, name: string): string =>
  typeof body[name] === 'string' ? body[name] : '';

export type Release = Readonly<{ tag: string; notes: string; page: string }>;

/** The newest public release. @throws when there is none to be read */
export const readRelease = async (address: string): Promise<Release> => {
  const body = await readForeign(address);
  const tag = textIn(body, 'tag_name');
  if (tag === '') throw new Error('a release without a name');
  const page = textIn(body, 'html_url');
  return { tag, notes: textIn(body, 'body'), page: /^https?:/.test(page) ? page : '' };
};

/**
 * The addresses that an OpenID provider publishes. The server reads them: few providers let a page
 * of another site do so, and it is the server that must reach them. @throws when there are none
 */
export const readOidc = async (address: string) => {
  const found = await call('POST /api/option/oidc_discovery', { body: { well_known: address } });
  return {
    'oidc.authorization_endpoint': found.authorization_endpoint,
    'oidc.token_endpoint': found.token_endpoint,
    'oidc.user_info_endpoint': found.userinfo_endpoint,
  };
};

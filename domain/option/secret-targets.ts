import { optionText, type StoredOptions } from './read.ts';
import { isOptionKey, type OptionKey } from './table.ts';

/**
 * Where a secret goes. Changing one of `targets` takes the secret back until it is entered again,
 * but only where it is in use: while one of `neededBy` is empty it is sent nowhere. The secret of
 * Turnstile goes to one fixed address, and without it no password would be taken: it stays.
 */
type Use = Readonly<{ targets: readonly OptionKey[]; neededBy: readonly OptionKey[] }>;

const uses: Readonly<Partial<Record<OptionKey, Use>>> = {
  SMTPToken: {
    targets: ['SMTPServer', 'SMTPPort', 'SMTPAccount', 'SMTPSSLEnabled'],
    neededBy: ['SMTPServer', 'SMTPAccount'],
  },
  WorkerValidKey: { targets: ['WorkerUrl'], neededBy: ['WorkerUrl'] },
  EpayKey: { targets: ['PayAddress', 'EpayId'], neededBy: ['PayAddress', 'EpayId'] },
  LantuSecretKey: { targets: ['LantuApiUrl', 'LantuMchId'], neededBy: ['LantuMchId'] },
  GitHubClientSecret: { targets: ['GitHubClientId'], neededBy: ['GitHubClientId'] },
  LinuxDOClientSecret: { targets: ['LinuxDOClientId'], neededBy: ['LinuxDOClientId'] },
  WeChatServerToken: { targets: ['WeChatServerAddress'], neededBy: ['WeChatServerAddress'] },
  'oidc.client_secret': {
    targets: [
      'oidc.client_id',
      'oidc.well_known',
      'oidc.authorization_endpoint',
      'oidc.token_endpoint',
      'oidc.user_info_endpoint',
    ],
    neededBy: ['oidc.client_id', 'oidc.well_known'],
  },
};

const byTarget: ReadonlyMap<OptionKey, OptionKey> = new Map(
  Object.entries(uses).flatMap(([secret, { targets }]) =>
    isOptionKey(secret) ? targets.map((target) => [target, secret] as const) : [],
  ),
);

/** The secret that is sent to the target of this option. */
export const secretSentTo = (target: OptionKey): OptionKey | null => byTarget.get(target) ?? null;

/** Nothing a secret could be sent to is missing. */
export const isInUse = (secret: OptionKey, options: StoredOptions): boolean =>
  uses[secret]?.neededBy.every((key) => optionText(options, key) !== '') ?? false;

/** Encryption that is switched on sends a secret nowhere else; switched off it shows it on the way. */
export const isRedirecting = (target: OptionKey, value: string): boolean =>
  target !== 'SMTPSSLEnabled' || value !== 'true';

import { describe, expect, test } from 'vitest';
import { deciderSpec } from '../../tests/support/decider-spec.ts';
import {
  aChangeOption,
  anOptionChanged,
  anOptionReset,
  aResetOption,
  aSecretOptionChanged,
} from '../../tests/support/site-examples.ts';
import { siteDecider } from '../site/decider.ts';
import type { SiteEvent } from '../site/events.ts';

const given = deciderSpec(siteDecider);
const byRoot = (key: string, value: string, secret?: string) => {
  const command = aChangeOption(key, value);
  return secret === undefined ? command : { ...command, data: { ...command.data, secret } };
};
const takenBack = (secret: string, because: string): SiteEvent => ({
  type: 'OptionReset',
  data: { key: secret, previous: null, because },
});
const of = (values: Readonly<Record<string, string>>, secret: string): readonly SiteEvent[] => [
  ...Object.entries(values).map(([key, value]) => anOptionChanged(key, value)),
  aSecretOptionChanged(secret),
];

const mail = of({ SMTPServer: 'smtp.example', SMTPAccount: 'desk' }, 'SMTPToken');
const worker = of({ WorkerUrl: 'https://worker.example' }, 'WorkerValidKey');
const epay = of({ PayAddress: 'https://pay.example', EpayId: '1' }, 'EpayKey');
const lantu = of({ LantuMchId: '1' }, 'LantuSecretKey');
const github = of({ GitHubClientId: 'Iv1' }, 'GitHubClientSecret');
const linuxdo = of({ LinuxDOClientId: 'L1' }, 'LinuxDOClientSecret');
const wechat = of({ WeChatServerAddress: 'https://wechat.example' }, 'WeChatServerToken');
const oidc = of(
  { 'oidc.client_id': 'c', 'oidc.well_known': 'https://id.example/w' },
  'oidc.client_secret',
);
const elsewhere = 'https://evil.example';

describe('a secret is not sent to another target', () => {
  test.each([
    ['SMTPServer', 'evil.example', 'SMTPToken', mail],
    ['SMTPServer', '', 'SMTPToken', mail],
    ['SMTPPort', '2525', 'SMTPToken', mail],
    ['SMTPAccount', 'other', 'SMTPToken', mail],
    ['WorkerUrl', elsewhere, 'WorkerValidKey', worker],
    ['PayAddress', elsewhere, 'EpayKey', epay],
    ['EpayId', '2', 'EpayKey', epay],
    ['LantuApiUrl', elsewhere, 'LantuSecretKey', lantu],
    ['LantuMchId', '2', 'LantuSecretKey', lantu],
    ['GitHubClientId', 'Iv2', 'GitHubClientSecret', github],
    ['LinuxDOClientId', 'L2', 'LinuxDOClientSecret', linuxdo],
    ['WeChatServerAddress', elsewhere, 'WeChatServerToken', wechat],
    ['oidc.client_id', 'd', 'oidc.client_secret', oidc],
    ['oidc.well_known', elsewhere, 'oidc.client_secret', oidc],
    ['oidc.authorization_endpoint', elsewhere, 'oidc.client_secret', oidc],
    ['oidc.token_endpoint', elsewhere, 'oidc.client_secret', oidc],
    ['oidc.user_info_endpoint', elsewhere, 'oidc.client_secret', oidc],
  ] as const)('%s = %j clears %s, or requires it again', (key, value, secret, history) => {
    const before = history.reduce(siteDecider.evolve, siteDecider.initialState);
    const forgetting = siteDecider.decide(byRoot(key, value), before);
    expect(forgetting).toMatchObject({
      kind: 'accepted',
      events: [{ type: 'OptionChanged', data: { key, value } }, takenBack(secret, key)],
    });
    const anew = siteDecider.decide(byRoot(key, value, 'sealed:anew'), before);
    expect(anew).toMatchObject({
      events: [
        { type: 'OptionChanged', data: { key, value } },
        { type: 'SecretOptionChanged', data: { key: secret, sealed: 'sealed:anew' } },
      ],
    });
    if (forgetting.kind !== 'accepted') throw new Error('refused');
    const after = forgetting.events.reduce(siteDecider.evolve, before);
    expect(after.secrets.has(secret)).toBe(false);
  });

  test('nor by putting the target back to its default', () =>
    given(...mail, anOptionChanged('SMTPPort', '465'))
      .when(aResetOption('SMTPPort'))
      .thenEvents(anOptionReset('SMTPPort', '465'), takenBack('SMTPToken', 'SMTPPort')));

  test('nor in the clear, where encryption is switched off', () =>
    given(...mail, anOptionChanged('SMTPSSLEnabled', 'true'))
      .when(byRoot('SMTPSSLEnabled', 'false'))
      .thenEvents(
        anOptionChanged('SMTPSSLEnabled', 'false', 'true'),
        takenBack('SMTPToken', 'SMTPSSLEnabled'),
      ));
});

describe('a secret stays', () => {
  test('when encryption is switched on', () =>
    given(...mail)
      .when(byRoot('SMTPSSLEnabled', 'true'))
      .thenEvents(anOptionChanged('SMTPSSLEnabled', 'true')));
  test('while it goes nowhere yet, so that a site can be set up in any order', () =>
    given(aSecretOptionChanged('SMTPToken'), anOptionChanged('SMTPServer', 'smtp.example'))
      .when(byRoot('SMTPPort', '465'))
      .thenEvents(anOptionChanged('SMTPPort', '465')));
  test('where no option names its target', () =>
    given(...of({ TurnstileSiteKey: 'site' }, 'TurnstileSecretKey'))
      .when(byRoot('TurnstileSiteKey', 'other'))
      .thenEvents(anOptionChanged('TurnstileSiteKey', 'other', 'site')));
  test('when what is saved is what was there', () =>
    given(...mail)
      .when(byRoot('SMTPServer', 'smtp.example'))
      .thenRejected('option.unchanged'));
  test('when the change is refused', () =>
    given(...mail)
      .when(byRoot('SMTPServer', 'http://x'))
      .thenRejected('option.not-a-host'));
});

describe('a secret that is sent with it', () => {
  test('is taken even where the target is as it was', () =>
    given(...mail)
      .when(byRoot('SMTPServer', 'smtp.example', 'sealed:secret'))
      .thenEvents(aSecretOptionChanged('SMTPToken')));
  test('is refused where none belongs', () =>
    given()
      .when(byRoot('SystemName', 'x', 's'))
      .thenRejected('option.takes-no-secret'));
});

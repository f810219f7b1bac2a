import { describe, test } from 'vitest';
import { deciderSpec } from '../../tests/support/decider-spec.ts';
import {
  aChangeOption,
  aChangeSecretOption,
  anInitialiseSite,
  anOptionChanged,
  anOptionReset,
  aResetOption,
  aSecretOptionChanged,
  aSiteInitialised,
} from '../../tests/support/site-examples.ts';
import { siteDecider } from './decider.ts';

const given = deciderSpec(siteDecider);

describe('a site', () => {
  test('is set up', () => given().when(anInitialiseSite()).thenEvents(aSiteInitialised()));
  test('is set up in the mode that was chosen', () =>
    given()
      .when(anInitialiseSite({ selfUseMode: true, demoSite: true }))
      .thenEvents(
        aSiteInitialised({ selfUseMode: true, demoSite: true }),
        anOptionChanged('SelfUseModeEnabled', 'true'),
        anOptionChanged('DemoSiteEnabled', 'true'),
      ));
  test('is set up once for ever', () =>
    given(aSiteInitialised()).when(anInitialiseSite()).thenRejected('site.already-initialised'));
});

describe('an option', () => {
  test('is changed, and the log keeps what it was', () =>
    given(anOptionChanged('RetryTimes', '2'))
      .when(aChangeOption('RetryTimes', '3'))
      .thenEvents(anOptionChanged('RetryTimes', '3', '2')));
  test('is stored in its one spelling', () =>
    given()
      .when(aChangeOption('ServerAddress', ' https://gate.example// '))
      .thenEvents(anOptionChanged('ServerAddress', 'https://gate.example')));
  test('is not changed to what it is, its default included', () => {
    given(anOptionChanged('RetryTimes', '2'))
      .when(aChangeOption('RetryTimes', '02'))
      .thenRejected('option.unchanged');
    given()
      .when(aChangeOption('RetryTimes', '0'))
      .thenRejected('option.unchanged', { key: 'RetryTimes' });
  });
  test('is never set to an unreadable value', () =>
    given()
      .when(aChangeOption('ModelRatio', '{"gpt-4o":'))
      .thenRejected('option.not-json', { key: 'ModelRatio' }));
  test('must be one of those there are', () =>
    given().when(aChangeOption('Colour', 'red')).thenRejected('option.unknown'));
  test('goes back to its default', () =>
    given(anOptionChanged('ModelRatio', '{}'))
      .when(aResetOption('ModelRatio'))
      .thenEvents(anOptionReset('ModelRatio', '{}')));
  test('that is at its default stays there', () =>
    given().when(aResetOption('ModelRatio')).thenNothing());
  test('that a reset took back counts as unchanged at its default', () =>
    given(anOptionChanged('RetryTimes', '2'), anOptionReset('RetryTimes', '2'))
      .when(aChangeOption('RetryTimes', '0'))
      .thenRejected('option.unchanged'));
});

describe('the top-up link', () => {
  const link = 'https://pay.example';
  test('is set by the super admin', () =>
    given().when(aChangeOption('TopUpLink', link)).thenEvents(anOptionChanged('TopUpLink', link)));
  test('is not set by an admin', () =>
    given()
      .when(aChangeOption('TopUpLink', link, 10))
      .thenRejected('option.forbidden'));
});

describe('a login provider', () => {
  test('is not enabled before its client id is set', () =>
    given()
      .when(aChangeOption('GitHubOAuthEnabled', 'true'))
      .thenRejected('option.needs', { needs: 'GitHubClientId' }));
  test('is switched on once it is', () =>
    given(anOptionChanged('GitHubClientId', 'Iv1.1'))
      .when(aChangeOption('GitHubOAuthEnabled', 'true'))
      .thenEvents(anOptionChanged('GitHubOAuthEnabled', 'true')));
  test('may need a secret', () => {
    given()
      .when(aChangeOption('TelegramOAuthEnabled', 'true'))
      .thenRejected('option.needs', { needs: 'TelegramBotToken' });
    given(aSecretOptionChanged('TelegramBotToken'))
      .when(aChangeOption('TelegramOAuthEnabled', 'true'))
      .thenEvents(anOptionChanged('TelegramOAuthEnabled', 'true'));
  });
});

describe('a secret', () => {
  test('is stored sealed', () =>
    given().when(aChangeSecretOption('SMTPToken')).thenEvents(aSecretOptionChanged('SMTPToken')));
  test('never enters the log in the clear', () =>
    given().when(aChangeOption('SMTPToken', 'letmein')).thenRejected('option.secret'));
  test('is cleared by a reset, without a trace of it', () =>
    given(aSecretOptionChanged('SMTPToken'))
      .when(aResetOption('SMTPToken'))
      .thenEvents(anOptionReset('SMTPToken')));
  test('is neither set nor cleared by an admin', () => {
    given().when(aChangeSecretOption('SMTPToken', 10)).thenRejected('option.forbidden');
    given(aSecretOptionChanged('SMTPToken'))
      .when(aResetOption('SMTPToken', 10))
      .thenRejected('option.forbidden');
  });
  test('is a matter of certain options only', () =>
    given().when(aChangeSecretOption('SystemName')).thenRejected('option.not-secret'));
});

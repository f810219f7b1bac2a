import type { AccountEvent } from '../../domain/account/events.ts';
import type { ChannelEvent, ChannelSettings } from '../../domain/channel/events.ts';
import type { RedemptionEvent } from '../../domain/redemption/events.ts';
import type { SiteEvent } from '../../domain/site/events.ts';
import type { TokenEvent, TokenTerms } from '../../domain/token/events.ts';
import type { TopUpEvent } from '../../domain/topup/events.ts';
import type { UserEvent, UserLoginFailed } from '../../domain/user/events.ts';
import type { Fields } from './things.ts';

export type Audited =
  | AccountEvent
  | ChannelEvent
  | RedemptionEvent
  | SiteEvent
  | TokenEvent
  | TopUpEvent
  | UserEvent
  | UserLoginFailed;

/** What an event changes of its subject: the fields as they are now, and what is never shown. */
export type Change = Readonly<{
  set?: Fields;
  /** The fields as they were, where the event itself says so. */
  was?: Fields;
  secrets?: readonly string[];
  /** Name of the thing from now on. */
  name?: string;
  /** The thing is gone: everything of it was. */
  gone?: true;
  /** Says what happened, and is no field of the thing. */
  said?: Fields;
}>;

const settingsFields = (settings: ChannelSettings): Fields => ({ ...settings });
const termsFields = (terms: TokenTerms): Fields => ({ ...terms });
const status = (word: string): Change => ({ set: { status: word } });

export const siteChange = (event: SiteEvent): Change => {
  switch (event.type) {
    case 'SiteInitialised': {
      const { rootUserId, selfUseMode, demoSite } = event.data;
      return { set: { rootUserId, selfUseMode, demoSite } };
    }
    case 'OptionChanged':
      return { set: { value: event.data.value }, name: event.data.key };
    case 'SecretOptionChanged':
      return { secrets: ['value'], name: event.data.key };
    case 'OptionReset': {
      const { key, because } = event.data;
      const said = because === undefined ? {} : { said: { because } };
      return { set: { value: null }, name: key, ...said };
    }
    case 'UsageLogPruned':
      return { said: { before: new Date(event.data.before * 1_000).toISOString() } };
  }
};

export const channelChange = (event: ChannelEvent): Change | null => {
  switch (event.type) {
    case 'ChannelCreated': {
      const { settings } = event.data;
      const word = event.data.status === 1 ? 'enabled' : 'disabled';
      const set = { ...settingsFields(settings), status: word };
      return { set, secrets: ['key'], name: settings.name };
    }
    case 'ChannelChanged': {
      const { settings, sealedKey } = event.data;
      const secrets = sealedKey === undefined ? {} : { secrets: ['key'] };
      return { set: settingsFields(settings), name: settings.name, ...secrets };
    }
    case 'ChannelKeyReplaced':
      return { secrets: ['key'] };
    case 'ChannelEnabled':
      return status('enabled');
    case 'ChannelDisabled':
      return status('disabled');
    case 'ChannelAutoDisabled':
      return status('auto-disabled');
    case 'ChannelAutoEnabled':
      return status('enabled');
    case 'ChannelTagged':
      return { set: { tag: event.data.tag } };
    case 'ChannelDeleted':
      return { gone: true };
    case 'ChannelTested':
    case 'ChannelBalanceRead':
      return null;
  }
};

export const tokenChange = (event: TokenEvent): Change => {
  switch (event.type) {
    case 'TokenCreated': {
      const { terms } = event.data;
      return {
        set: { ...termsFields(terms), status: 'enabled' },
        secrets: ['key'],
        name: terms.name,
      };
    }
    case 'TokenChanged':
      return { set: termsFields(event.data.terms), name: event.data.terms.name };
    case 'TokenEnabled':
      return status('enabled');
    case 'TokenDisabled':
      return status('disabled');
    case 'TokenDeleted':
      return { gone: true };
  }
};

export const redemptionChange = (event: RedemptionEvent): Change => {
  switch (event.type) {
    case 'RedemptionCreated': {
      const { name, quota } = event.data;
      return { set: { name, quota, status: 'unused' }, secrets: ['code'], name };
    }
    case 'RedemptionChanged': {
      const { name, quota } = event.data;
      return { set: { name, quota }, name };
    }
    case 'RedemptionEnabled':
      return status('unused');
    case 'RedemptionDisabled':
      return status('disabled');
    case 'RedemptionRedeemed':
      return { set: { status: 'used', redeemedBy: event.data.redeemedBy } };
    case 'RedemptionDeleted':
      return { gone: true };
  }
};

export const topUpChange = (event: TopUpEvent): Change | null => {
  switch (event.type) {
    case 'TopUpOrdered': {
      const { provider, method, dollars, payable, quota, bonusQuota, tradeNo } = event.data;
      const order = { provider, method, dollars, payable, quota, bonusQuota };
      return { ...status('pending'), said: order, name: tradeNo };
    }
    case 'TopUpPaid': {
      const { providerReference, paid, quota, source, late } = event.data;
      return { ...status('paid'), said: { providerReference, paid, quota, source, late } };
    }
    case 'TopUpExpired':
      return status('expired');
    case 'TopUpOffered':
      return null;
  }
};

const balance = (balanceAfter: number, delta: number): Pick<Change, 'set' | 'was'> => ({
  set: { balance: balanceAfter },
  was: { balance: balanceAfter - delta },
});

/** Only money that somebody moved by hand; what a process or a relay books is in the ledger. */
export const accountChange = (event: AccountEvent, actorKind: string): Change | null => {
  switch (event.type) {
    case 'QuotaAdjusted': {
      const { delta, seen, balanceAfter } = event.data;
      return { ...balance(balanceAfter, delta), said: { delta, seen } };
    }
    case 'CorrectionPosted': {
      const { delta, corrects, reference, balanceAfter } = event.data;
      const why = reference === undefined ? {} : { reference };
      return { ...balance(balanceAfter, delta), said: { delta, corrects, ...why } };
    }
    case 'QuotaGranted':
    case 'RequestRefunded':
    case 'ReferralRewardTransferred': {
      if (actorKind === 'system' || actorKind === 'relay') return null;
      const { userId: _, balanceAfter, ...said } = event.data;
      return { ...balance(balanceAfter, said.amount), said };
    }
    default:
      return null;
  }
};

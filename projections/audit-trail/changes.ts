import type { AccountEvent } from '../../domain/account/events.ts';
import type { ChannelEvent, ChannelSettings } from '../../domain/channel/events.ts';
import type { AuditedEvent } from '../../domain/events.ts';
import type { RedemptionEvent } from '../../domain/redemption/events.ts';
import type { SiteEvent } from '../../domain/site/events.ts';
import type { TokenEvent, TokenTerms } from '../../domain/token/events.ts';
import type { TopUpEvent } from '../../domain/topup/events.ts';
import type { Fields } from './audit-subjects.ts';

type Of<E extends Readonly<{ type: string }>> = Extract<AuditedEvent, { type: E['type'] }>;

/** What an event changes of its subject: the fields as they are now, and what is never shown. */
export type Change = Readonly<{
  set?: Fields;
  /** The previous values, where the event itself contains them. */
  was?: Fields;
  secrets?: readonly string[];
  /** Name of the subject from now on. */
  name?: string;
  /** The subject is gone: every field of it was. */
  gone?: true;
  /** Facts of the event that are no fields of the subject. */
  facts?: Fields;
}>;

const settingsFields = (settings: ChannelSettings): Fields => ({ ...settings });
const termsFields = (terms: TokenTerms): Fields => ({ ...terms });
const status = (name: string): Change => ({ set: { status: name } });

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
      const facts = because === undefined ? {} : { facts: { because } };
      return { set: { value: null }, name: key, ...facts };
    }
    case 'UsageLogPruned':
      return { facts: { before: new Date(event.data.before * 1_000).toISOString() } };
  }
};

export const channelChange = (event: Of<ChannelEvent>): Change => {
  switch (event.type) {
    case 'ChannelCreated': {
      const { settings } = event.data;
      const status = event.data.status === 1 ? 'enabled' : 'disabled';
      const set = { ...settingsFields(settings), status };
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

export const topUpChange = (event: Of<TopUpEvent>): Change => {
  switch (event.type) {
    case 'TopUpOrdered': {
      const { provider, method, dollars, payable, quota, bonusQuota, tradeNo } = event.data;
      const order = { provider, method, dollars, payable, quota, bonusQuota };
      return { ...status('pending'), facts: order, name: tradeNo };
    }
    case 'TopUpPaid': {
      const { providerReference, paid, quota, source, late } = event.data;
      return { ...status('paid'), facts: { providerReference, paid, quota, source, late } };
    }
    case 'TopUpPaidAgain': {
      const { providerReference, creditedReference, paid } = event.data;
      return { facts: { providerReference, creditedReference, paid } };
    }
    case 'TopUpExpired':
      return status('expired');
  }
};

const balance = (balanceAfter: number, delta: number): Pick<Change, 'set' | 'was'> => ({
  set: { balance: balanceAfter },
  was: { balance: balanceAfter - delta },
});

/** Only money that a person moved manually; what a process or a relay books is in the ledger. */
export const accountChange = (event: Of<AccountEvent>, actorKind: string): Change | null => {
  switch (event.type) {
    case 'QuotaAdjusted': {
      const { delta, seen, balanceAfter } = event.data;
      return { ...balance(balanceAfter, delta), facts: { delta, seen } };
    }
    case 'CorrectionPosted': {
      const { delta, corrects, reference, balanceAfter } = event.data;
      const why = reference === undefined ? {} : { reference };
      return { ...balance(balanceAfter, delta), facts: { delta, corrects, ...why } };
    }
    case 'QuotaGranted':
    case 'RequestRefunded':
    case 'ReferralRewardTransferred': {
      if (actorKind === 'system' || actorKind === 'relay') return null;
      const { userId: _, balanceAfter, ...facts } = event.data;
      return { ...balance(balanceAfter, facts.amount), facts };
    }
  }
};

import type { RequestCharged } from '../../domain/account/events.ts';
import type { ChannelAutoDisabled, ChannelAutoEnabled } from '../../domain/channel/events.ts';
import { optionIsOn, optionNumber } from '../../domain/option/read.ts';
import type { Recorded } from '../../domain/shared/event.ts';
import type { OptionChanged, OptionReset } from '../../domain/site/events.ts';
import type { UserSettingsChanged } from '../../domain/user/events.ts';
import type { Clock } from '../../infra/ports/clock.ts';
import { createChannelDirectory } from '../channel/directory.ts';
import type { CommandHandler } from '../commands/handle-command.ts';
import type { Ids } from '../identity/ids.ts';
import type { Notices } from '../notices/create-notices.ts';
import { channelDisabledNotice, channelEnabledNotice, quotaNotice } from '../notices/notice.ts';
import { createQuotaThresholds, crosses } from '../notices/quota-thresholds.ts';
import { serverAddress } from '../options/server-address.ts';
import type { SiteOptions } from '../options/site-options.ts';
import { type Process, when } from './process.ts';

type Deps = Readonly<{
  clock: Clock;
  commands: CommandHandler;
  ids: Ids;
  options: SiteOptions;
}>;

type Needs = Deps & Readonly<{ notices: Notices }>;

/** No warning is sent for what happened before; a new process reads the whole log. */
const newsMs = 3_600_000;

const nothing = async (): Promise<null> => null;

/**
 * When a charge takes a balance below its owner's threshold, warn them; when the gateway switches a
 * channel by itself, inform the first administrator.
 */
export const createNoticeProcess = (needs: Needs): Process => {
  const { clock, notices, options } = needs;
  const thresholds = createQuotaThresholds(needs);
  const directory = createChannelDirectory(needs);

  const isNews = ({ metadata }: Recorded): boolean =>
    Date.parse(metadata.occurredAt) > clock().getTime() - newsMs;

  const mayCross = ({ userId, amount, balanceAfter }: RequestCharged['data']): boolean => {
    if (amount === 0) return false;
    const threshold = thresholds.known(userId);
    return threshold === null || crosses({ amount, balanceAfter }, threshold);
  };

  /** As the console shows quota: US dollars, or bare units. */
  const amountText = async (units: number): Promise<string> => {
    const { options: stored } = await options.state();
    if (!optionIsOn(stored, 'DisplayInCurrencyEnabled')) return String(units);
    return `$${(units / optionNumber(stored, 'QuotaPerUnit')).toFixed(6)}`;
  };

  const warn = async ({ event: { data }, eventId }: Recorded<RequestCharged>): Promise<null> => {
    const { userId: to, balanceAfter } = data;
    if (!crosses(data, await thresholds.lookUp(to))) return null;
    const address = await serverAddress(options);
    const remaining = await amountText(balanceAfter);
    notices.send(quotaNotice({ to, remaining, link: `${address}/topup` }), eventId);
    return null;
  };

  const operator = async (): Promise<number | null> => {
    const site = await options.state();
    return site.status === 'initialised' ? site.rootUserId : null;
  };

  const tellDisabled = async (recorded: Recorded<ChannelAutoDisabled>): Promise<null> => {
    const { channelId: id, reason } = recorded.event.data;
    const to = await operator();
    const name = (await directory.find(id))?.settings.name ?? '';
    if (to !== null)
      notices.send(channelDisabledNotice({ to, id, name, reason }), recorded.eventId);
    return null;
  };

  const tellEnabled = async (recorded: Recorded<ChannelAutoEnabled>): Promise<null> => {
    const { channelId: id } = recorded.event.data;
    const to = await operator();
    const name = (await directory.find(id))?.settings.name ?? '';
    if (to !== null) notices.send(channelEnabledNotice({ to, id, name }), recorded.eventId);
    return null;
  };

  const concerns = (recorded: Recorded): boolean => {
    const { event } = recorded as Recorded<
      RequestCharged | UserSettingsChanged | OptionChanged | OptionReset | ChannelAutoDisabled
    >;
    if (event.type === 'UserSettingsChanged') {
      thresholds.forget(event.data.userId);
      return false;
    }
    if (event.type === 'OptionChanged' || event.type === 'OptionReset') {
      thresholds.forgetCommon();
      return false;
    }
    return isNews(recorded) && (event.type !== 'RequestCharged' || mayCross(event.data));
  };

  return {
    name: 'notices',
    aside: { concerns, isBusy: notices.isBusy },
    on: {
      ...when<RequestCharged>('RequestCharged', warn),
      ...when<ChannelAutoDisabled>('ChannelAutoDisabled', tellDisabled),
      ...when<ChannelAutoEnabled>('ChannelAutoEnabled', tellEnabled),
      ...when<UserSettingsChanged>('UserSettingsChanged', nothing),
      ...when<OptionChanged>('OptionChanged', nothing),
      ...when<OptionReset>('OptionReset', nothing),
    },
  };
};

import { optionIsOn, optionNumber, optionText } from '../../domain/option/read.ts';
import type { OptionKey } from '../../domain/option/table.ts';
import { bonusTiers } from '../../domain/topup/bonus.ts';
import type { PublicStatus } from '../contract/status.ts';
import type { StoredState } from './queries.ts';

type Facts = Readonly<{ version: string; startTime: number; setup: boolean }>;

const chatsOf = (text: string): PublicStatus['chats'] => {
  try {
    const parsed: unknown = JSON.parse(text);
    return Array.isArray(parsed) ? (parsed as PublicStatus['chats']) : [];
  } catch {
    return [];
  }
};

/** One way of paying is filled in: WeChat, or the gateway of the older form. */
const isPaymentSet = (text: (key: OptionKey) => string, secretsSet: ReadonlySet<string>): boolean =>
  (text('LantuMchId') !== '' && secretsSet.has('LantuSecretKey')) ||
  (text('PayAddress') !== '' && text('EpayId') !== '' && secretsSet.has('EpayKey'));

/** What a page needs before a user signs in; none of it is secret. */
export const publicStatusOf = ({ values, secretsSet }: StoredState, facts: Facts): PublicStatus => {
  const text = (key: OptionKey) => optionText(values, key);
  const isOn = (key: OptionKey) => optionIsOn(values, key);
  return {
    version: facts.version,
    start_time: facts.startTime,
    system_name: text('SystemName'),
    logo: text('Logo'),
    footer_html: text('Footer'),
    email_verification: isOn('EmailVerificationEnabled'),
    github_oauth: isOn('GitHubOAuthEnabled'),
    github_client_id: text('GitHubClientId'),
    linuxdo_oauth: isOn('LinuxDOOAuthEnabled'),
    linuxdo_client_id: text('LinuxDOClientId'),
    telegram_oauth: isOn('TelegramOAuthEnabled'),
    telegram_bot_name: text('TelegramBotName'),
    wechat_login: isOn('WeChatAuthEnabled'),
    wechat_qrcode: text('WeChatAccountQRCodeImageURL'),
    oidc_enabled: isOn('oidc.enabled'),
    oidc_client_id: text('oidc.client_id'),
    oidc_authorization_endpoint: text('oidc.authorization_endpoint'),
    turnstile_check: isOn('TurnstileCheckEnabled'),
    turnstile_site_key: text('TurnstileSiteKey'),
    server_address: text('ServerAddress'),
    price: optionNumber(values, 'Price'),
    min_topup: optionNumber(values, 'MinTopUp'),
    topup_bonus_tiers: [...bonusTiers],
    enable_online_topup: isPaymentSet(text, secretsSet),
    top_up_link: text('TopUpLink'),
    docs_link: text('general_setting.docs_link'),
    quota_per_unit: optionNumber(values, 'QuotaPerUnit'),
    display_in_currency: isOn('DisplayInCurrencyEnabled'),
    enable_batch_update: false,
    enable_drawing: isOn('DrawingEnabled'),
    enable_task: isOn('TaskEnabled'),
    enable_data_export: isOn('DataExportEnabled'),
    data_export_default_time: text('DataExportDefaultTime'),
    default_collapse_sidebar: isOn('DefaultCollapseSidebar'),
    mj_notify_enabled: isOn('MjNotifyEnabled'),
    chats: chatsOf(text('Chats')),
    demo_site_enabled: isOn('DemoSiteEnabled'),
    self_use_mode_enabled: isOn('SelfUseModeEnabled'),
    setup: facts.setup,
  };
};

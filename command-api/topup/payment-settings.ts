import { optionText } from '../../domain/option/read.ts';
import type { OptionKey } from '../../domain/option/table.ts';
import type { Vault } from '../../infra/ports/vault.ts';
import { openSecret } from '../options/secret-option.ts';
import type { SiteOptions } from '../options/site-options.ts';

type Deps = Readonly<{
  vault: Vault;
  options: SiteOptions;
}>;

export type LantuAccount = Readonly<{ api: string; merchantId: string; secret: string }>;
export type EpayAccount = Readonly<{ gateway: string; merchantId: string; secret: string }>;

export type PaymentSettings = Readonly<{
  /** null: the operator has not filled it in. */
  lantu: LantuAccount | null;
  epay: EpayAccount | null;
  /** Where providers call us, and where people are sent back to. */
  callbackBase: string;
  siteBase: string;
  siteName: string;
}>;

const defaultLantuApi = 'https://api.ltzf.cn';
/** Default callback address of the product; never taken from the request. */
const defaultServerAddress = 'http://localhost:3000';

/** What is set now, secrets opened. */
export const readPaymentSettings = async ({ options, vault }: Deps): Promise<PaymentSettings> => {
  const { options: stored, secrets } = await options.state();
  const text = (key: OptionKey): string => optionText(stored, key).trim();
  const secretOf = (key: OptionKey): string => openSecret(vault, secrets, key);
  const lantu = {
    api: text('LantuApiUrl') || defaultLantuApi,
    merchantId: text('LantuMchId'),
    secret: secretOf('LantuSecretKey'),
  };
  const epay = {
    gateway: text('PayAddress'),
    merchantId: text('EpayId'),
    secret: secretOf('EpayKey'),
  };
  const isLantuSet = lantu.merchantId !== '' && lantu.secret !== '';
  const isEpaySet = epay.gateway !== '' && epay.merchantId !== '' && epay.secret !== '';
  const siteBase = text('ServerAddress') || defaultServerAddress;
  return {
    lantu: isLantuSet ? lantu : null,
    epay: isEpaySet ? epay : null,
    callbackBase: text('CustomCallbackAddress') || siteBase,
    siteBase,
    siteName: text('SystemName'),
  };
};

import type { EpayAccount } from './payment-settings.ts';
import { type Fields, isSameSignature, md5Hex, signedText } from './signature.ts';

/** The secret follows the signed text directly, and the letters are small (section 5). */
export const epaySignature = (fields: Fields, secret: string): string => {
  const { sign: _, sign_type: __, ...signed } = fields;
  return md5Hex(`${signedText(signed)}${secret}`);
};

export const isEpayNotice = (fields: Fields, secret: string): boolean =>
  isSameSignature(fields.sign ?? '', epaySignature(fields, secret));

export const epaySubmitUrl = ({ gateway }: EpayAccount): string =>
  `${gateway.replace(/\/+$/, '')}/submit.php`;

/** The form that the browser posts to the gateway. */
export const epayForm = (
  { merchantId, secret }: EpayAccount,
  order: Readonly<{
    type: 'wxpay' | 'alipay';
    tradeNo: string;
    notifyUrl: string;
    returnUrl: string;
    name: string;
    money: string;
  }>,
): Fields => {
  const fields = {
    pid: merchantId,
    type: order.type,
    out_trade_no: order.tradeNo,
    notify_url: order.notifyUrl,
    return_url: order.returnUrl,
    name: order.name,
    money: order.money,
    device: 'pc',
  };
  return { ...fields, sign: epaySignature(fields, secret), sign_type: 'MD5' };
};

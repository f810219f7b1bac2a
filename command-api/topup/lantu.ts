import { z } from 'zod';
import { minorOf } from '../../domain/topup/quote.ts';
import type { LantuAccount } from './payment-settings.ts';
import { type Fields, isSameSignature, md5Hex, signedText } from './signature.ts';

/** The order for the provider. `totalFee` is a sum with two decimals. */
export type LantuOrder = Readonly<{
  tradeNo: string;
  totalFee: string;
  body: string;
  notifyUrl: string;
  /** Unix seconds. */
  at: number;
}>;
export type LantuQr = Readonly<{ codeUrl: string; pictureUrl: string }>;
export type LantuReply<T> =
  | Readonly<{ kind: 'done'; data: T }>
  | Readonly<{ kind: 'refused'; reason: string }>
  | Readonly<{ kind: 'unreachable'; error: unknown }>;
export type LantuPayment =
  | Readonly<{ paid: true; reference: string; amountMinor: number | null }>
  | Readonly<{ paid: false }>;

const timeoutMs = 10_000;
const maxAnswerBytes = 64 * 1024;
const maxReason = 200;
const text = z.union([z.string(), z.number()]).transform(String);

const qrData = z.object({ code_url: z.string().default(''), QRcode_url: z.string().default('') });
const jumpUrl = z.url({ protocol: /^(https?|weixin)$/ });
const orderData = z.object({
  mch_id: text,
  out_trade_no: text,
  total_fee: text,
  pay_status: text,
  order_no: text.default(''),
  pay_no: text.nullish().transform((value) => value ?? ''),
});

/** Upper-case MD5 over the required fields, the secret at their end (infra/reference/payments.md). */
export const lantuSignature = (fields: Fields, secret: string): string =>
  md5Hex(`${signedText(fields)}&key=${secret}`).toUpperCase();

const read = async (response: Response): Promise<unknown> => {
  const body = await response.text();
  if (!response.ok || body.length > maxAnswerBytes) throw new Error(`HTTP ${response.status}`);
  return JSON.parse(body);
};

/** Calls the provider: forms out, `{ code, data, msg }` back, code 0 on success. */
export const createLantu = ({ api, merchantId, secret }: LantuAccount) => {
  const post = async <T>(
    path: string,
    { signed, unsigned = {} }: Readonly<{ signed: Fields; unsigned?: Fields }>,
    shape: z.ZodType<T>,
  ): Promise<LantuReply<T>> => {
    const fields = { ...signed, mch_id: merchantId };
    const sign = lantuSignature(fields, secret);
    try {
      const response = await fetch(`${api.replace(/\/+$/, '')}${path}`, {
        method: 'POST',
        body: new URLSearchParams({ ...fields, ...unsigned, sign }),
        redirect: 'error',
        signal: AbortSignal.timeout(timeoutMs),
      });
      const answer = z.object({ code: text, msg: z.string().nullish(), data: z.unknown() });
      const { code, msg, data } = answer.parse(await read(response));
      if (code === '0') return { kind: 'done', data: shape.parse(data) };
      return { kind: 'refused', reason: (msg ?? '').slice(0, maxReason) };
    } catch (error) {
      return { kind: 'unreachable', error };
    }
  };

  const requiredOf = ({ tradeNo, totalFee, body, notifyUrl, at }: LantuOrder): Fields => ({
    out_trade_no: tradeNo,
    total_fee: totalFee,
    body,
    timestamp: String(at),
    notify_url: notifyUrl,
  });
  /** The provider's own limit equals ours. */
  const expiry = { time_expire: '5m' };

  return {
    /** A code for a screen. */
    payByCode: async (order: LantuOrder): Promise<LantuReply<LantuQr>> => {
      const sent = { signed: requiredOf(order), unsigned: expiry };
      const reply = await post('/api/wxpay/native', sent, qrData);
      if (reply.kind !== 'done') return reply;
      const { code_url: codeUrl, QRcode_url: pictureUrl } = reply.data;
      return { kind: 'done', data: { codeUrl, pictureUrl } };
    },
    /** An address for a phone. `returnUrl`: the page to which the person returns. */
    payByJump: (order: LantuOrder, returnUrl: string): Promise<LantuReply<string>> => {
      const unsigned = { ...expiry, quit_url: returnUrl, return_url: returnUrl };
      return post('/api/wxpay/jump_h5', { signed: requiredOf(order), unsigned }, jumpUrl);
    },
    /** Was it paid? An answer about another order or merchant counts as none. */
    query: async (tradeNo: string, at: number): Promise<LantuReply<LantuPayment>> => {
      const signed = { out_trade_no: tradeNo, timestamp: String(at) };
      const reply = await post('/api/wxpay/get_pay_order', { signed }, orderData);
      if (reply.kind !== 'done') return reply;
      const { mch_id, out_trade_no, total_fee, pay_status, order_no, pay_no } = reply.data;
      if (mch_id !== merchantId || out_trade_no !== tradeNo) {
        return { kind: 'refused', reason: 'the answer is about another order' };
      }
      if (pay_status !== '1') return { kind: 'done', data: { paid: false } };
      const amountMinor = minorOf(total_fee);
      return { kind: 'done', data: { paid: true, reference: order_no || pay_no, amountMinor } };
    },
  };
};

const signedInNotice = [
  'code',
  'timestamp',
  'mch_id',
  'order_no',
  'out_trade_no',
  'pay_no',
  'total_fee',
] as const;

/** Did the provider itself write this notice? */
export const isLantuNotice = (fields: Fields, secret: string): boolean => {
  const signed = Object.fromEntries(signedInNotice.map((name) => [name, fields[name] ?? '']));
  return isSameSignature(fields.sign ?? '', lantuSignature(signed, secret));
};

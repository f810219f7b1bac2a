import { createHash } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

type Fields = Record<string, string>;

/** One order as the provider keeps it. */
type StubOrder = Readonly<{ fields: Fields; path: string; orderNo: string }> & {
  paid: boolean;
};

export type LantuStub = Readonly<{
  url: string;
  merchantId: string;
  secret: string;
  orders: ReadonlyMap<string, StubOrder>;
  /** Questions about orders that were answered. */
  queries: () => number;
  /** Refuses every new order from now on; null: takes them again. */
  refuseWith: (reason: string | null) => void;
  /** A person pays by phone; the provider sends no notice yet. */
  pay: (tradeNo: string) => void;
  /** What the provider sends when an order was paid, signed. */
  noticeOf: (tradeNo: string, changes?: Fields) => Fields;
  /** Pays and sends the notice, as the provider does. */
  payAndNotify: (tradeNo: string) => Promise<string>;
  close: () => Promise<void>;
}>;

const sorted = (fields: Fields): string =>
  Object.keys(fields)
    .filter((name) => fields[name] !== '')
    .sort()
    .map((name) => `${name}=${fields[name]}`)
    .join('&');

/** The provider's signature, written down a second time from its documentation. */
const signLikeLantu = (fields: Fields, secret: string): string =>
  createHash('md5')
    .update(`${sorted(fields)}&key=${secret}`, 'utf8')
    .digest('hex')
    .toUpperCase();

const bodyOf = async (request: IncomingMessage): Promise<Fields> => {
  let text = '';
  for await (const chunk of request) text += String(chunk);
  return Object.fromEntries(new URLSearchParams(text));
};

const required: Readonly<Record<string, readonly string[]>> = {
  '/api/wxpay/native': ['mch_id', 'out_trade_no', 'total_fee', 'body', 'timestamp', 'notify_url'],
  '/api/wxpay/jump_h5': ['mch_id', 'out_trade_no', 'total_fee', 'body', 'timestamp', 'notify_url'],
  '/api/wxpay/get_pay_order': ['mch_id', 'out_trade_no', 'timestamp'],
};

/** A WeChat payment provider as its documentation has it, over HTTP, that checks what it is sent. */
export const startLantuStub = async (): Promise<LantuStub> => {
  const merchantId = '1230000109';
  const secret = 'stub-secret-of-the-merchant';
  const orders = new Map<string, StubOrder>();
  let refusal: string | null = null;
  let queries = 0;

  const refuse = (msg: string) => ({ code: 1, data: null, msg, request_id: 'r' });
  const done = (data: unknown) => ({ code: 0, data, msg: '操作成功', request_id: 'r' });

  /** What is wrong with a call; null when the provider deals with it. */
  const problemOf = (path: string, fields: Fields): string | null => {
    const names = required[path];
    if (names === undefined) return 'no such call';
    const signed = Object.fromEntries(names.map((name) => [name, fields[name] ?? '']));
    if (fields.sign !== signLikeLantu(signed, secret)) return '签名错误';
    if (fields.mch_id !== merchantId) return '商户号不存在';
    return /^\d{10}$/.test(fields.timestamp ?? '') ? null : '时间戳错误';
  };

  const told = (tradeNo: string): object => {
    queries += 1;
    const order = orders.get(tradeNo);
    if (order === undefined) return refuse('订单不存在');
    return done({
      mch_id: merchantId,
      out_trade_no: tradeNo,
      order_no: order.orderNo,
      pay_no: order.paid ? `4200${order.orderNo}` : null,
      total_fee: order.fields.total_fee,
      trade_type: 'NATIVE',
      pay_status: order.paid ? 1 : 0,
    });
  };

  const opened = (path: string, fields: Fields): object => {
    const tradeNo = fields.out_trade_no ?? '';
    if (refusal !== null) return refuse(refusal);
    if (!/^[\w-]+$/.test(tradeNo) || orders.has(tradeNo)) return refuse('商户订单号重复');
    orders.set(tradeNo, { fields, path, orderNo: `WX${orders.size + 1}`, paid: false });
    if (path === '/api/wxpay/jump_h5') return done(`https://pay.example.com/h5/${tradeNo}`);
    const codeUrl = `weixin://wxpay/bizpayurl?pr=${tradeNo}`;
    return done({ code_url: codeUrl, QRcode_url: `https://pay.example.com/${tradeNo}.png` });
  };

  const answer = (path: string, fields: Fields): object => {
    const problem = problemOf(path, fields);
    if (problem !== null) return refuse(problem);
    const isQuestion = path === '/api/wxpay/get_pay_order';
    return isQuestion ? told(fields.out_trade_no ?? '') : opened(path, fields);
  };

  const server = createServer((request, response) => {
    void bodyOf(request).then((fields) => {
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify(answer(request.url ?? '', fields)));
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));

  const orderOf = (tradeNo: string): StubOrder => {
    const order = orders.get(tradeNo);
    if (order === undefined) throw new Error(`the provider knows of no order ${tradeNo}`);
    return order;
  };
  const noticeOf = (tradeNo: string, changes: Fields = {}): Fields => {
    const { fields, orderNo } = orderOf(tradeNo);
    const signed = {
      code: '0',
      timestamp: '1767225600',
      mch_id: merchantId,
      order_no: orderNo,
      out_trade_no: tradeNo,
      pay_no: `4200${orderNo}`,
      total_fee: fields.total_fee ?? '',
      ...changes,
    };
    const sign = signLikeLantu(signed, secret);
    return { ...signed, sign, pay_channel: 'wxpay', trade_type: 'NATIVE', ...changes };
  };
  const pay = (tradeNo: string): void => {
    orderOf(tradeNo).paid = true;
  };

  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    merchantId,
    secret,
    orders,
    queries: () => queries,
    refuseWith: (reason) => {
      refusal = reason;
    },
    pay,
    noticeOf,
    payAndNotify: async (tradeNo) => {
      pay(tradeNo);
      const { fields } = orderOf(tradeNo);
      const notice = new URLSearchParams(noticeOf(tradeNo));
      const response = await fetch(fields.notify_url ?? '', { method: 'POST', body: notice });
      return response.text();
    },
    close: () =>
      new Promise((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
};

import type { Language } from '../../domain/access/language.ts';
import type { Quote } from '../../domain/pricing/types.ts';
import type {
  ConsumeDetails,
  FailureDetails,
  LogDetails,
  ManageDetails,
  MovementDetails,
} from './details.ts';
import { management, reasonWords } from './manage-words.ts';

/** How amounts are shown in texts: as US dollars, or in quota units. */
export type AmountForm = Readonly<{ inCurrency: boolean; quotaPerUnit: number }>;
type Words = Readonly<{ zh: string; en: string }>;

export const amountText = (units: number, { inCurrency, quotaPerUnit }: AmountForm): string => {
  if (!inCurrency || quotaPerUnit <= 0) return String(units);
  return `${units < 0 ? '-' : ''}$${Math.abs(units / quotaPerUnit).toFixed(6)}`;
};

/** In a sentence: every place that is not zero, and two at any rate. */
const shortAmount = (units: number, form: AmountForm): string =>
  amountText(units, form).replace(/(\.\d\d\d*?)0+$/, '$1');

const sources: Readonly<Record<string, Words>> = {
  setup: { zh: '初始化赠送额度 {amount}', en: 'Start quota of the site owner: {amount}' },
  registration: { zh: '新用户注册赠送额度 {amount}', en: 'Start quota for a new user: {amount}' },
  invitation: { zh: '使用邀请码赠送额度 {amount}', en: 'Bonus for an invitation: {amount}' },
  redemption: {
    zh: '通过兑换码充值 {amount}，兑换码 ID {reference}',
    en: 'Redeemed {amount} with code {reference}',
  },
  topup: { zh: '在线充值 {amount}，订单 {reference}', en: 'Topped up {amount}, order {reference}' },
  lantu: {
    zh: '微信支付充值 {amount}，支付金额 {money} 元，含赠送 {bonus}，订单 {reference}',
    en: 'Topped up {amount} by WeChat for {money} CNY, {bonus} of it on top, order {reference}',
  },
  epay: {
    zh: '在线充值 {amount}，支付金额 {money} 元，含赠送 {bonus}，订单 {reference}',
    en: 'Topped up {amount} for {money} CNY, {bonus} of it on top, order {reference}',
  },
  'referral-transfer': {
    zh: '邀请收益转入余额 {amount}',
    en: 'Referral earnings moved to the balance: {amount}',
  },
};

const movements: Readonly<Record<string, Words>> = {
  QuotaAdjusted: {
    zh: '管理员将额度从 {before} 改为 {after}',
    en: 'An administrator changed the quota from {before} to {after}',
  },
  RequestRefunded: {
    zh: '请求 {reference} 退还额度 {amount}',
    en: 'Refunded {amount} for request {reference}',
  },
  TaskRefunded: {
    zh: '任务 {reference} 执行失败，退还额度 {amount}',
    en: 'Task {reference} failed, {amount} refunded',
  },
  ReferralRewarded: {
    zh: '邀请用户 {reference} 获得收益 {amount}',
    en: 'Earned {amount} by inviting user {reference}',
  },
  ReferralRewardTransferred: {
    zh: '邀请收益转入余额 {amount}',
    en: 'Referral earnings moved to the balance: {amount}',
  },
  CorrectionPosted: {
    zh: '账单更正 {amount}：{reason}',
    en: 'Correction of {amount}: {reason}',
  },
};

/** Of a task: fixed price, group ratio, action and number. */
const taskWords: Words = {
  zh: '模型固定价格 {price}，分组倍率 {ratio}，操作 {action}，任务 ID {id}',
  en: 'Fixed price {price}, group ratio {ratio}, action {action}, task {id}',
};

/** Of a video: the provider's number of it is no business of callers. */
const videoWords: Words = {
  zh: '每秒价格 {price}，视频 {seconds} 秒，分组倍率 {ratio}，操作 {action}',
  en: 'Price of a second {price}, {seconds} s of video, group ratio {ratio}, action {action}',
};

/** What the charge of a call was reckoned by. */
const ratioWords: Words = {
  zh: '模型倍率 {model}，补全倍率 {completion}，分组倍率 {group}',
  en: 'Model ratio {model}, completion ratio {completion}, group ratio {group}',
};
const priceWords: Words = {
  zh: '模型价格 {price}，分组倍率 {group}',
  en: 'Price per call {price}, group ratio {group}',
};
/** Charged by the estimate; what is beyond its use is returned at its end. */
const batchWords: Words = {
  zh: '，批处理倍率 {ratio}（按预估计费，完成后退还差额）',
  en: ', batch ratio {ratio} (charged by its estimate; the rest is refunded at its end)',
};
const noteWords: Words = { zh: '，备注：{note}', en: '. Note: {note}' };

const abandoned: Words = {
  zh: '请求处理中断，未收费',
  en: 'The request was interrupted; nothing was charged',
};

const filled = (
  words: Words | undefined,
  language: Language,
  values: Readonly<Record<string, string | number>>,
): string =>
  (words?.[language] ?? '').replace(/\{(\w+)\}/g, (_, name: string) => String(values[name] ?? ''));

/** "" where none was given. */
const reasonText = (reason: string, language: Language): string =>
  reason === '' ? '' : filled(reasonWords, language, { reason });

const movementText = (details: MovementDetails, language: Language, form: AmountForm): string => {
  const { event, delta, balanceAfter, reason, reference, payment } = details;
  const source = sources[payment?.provider ?? reason] ?? sources[reason];
  const isOfTask = event === 'RequestRefunded' && reason.startsWith('task.');
  const kind = isOfTask ? 'TaskRefunded' : event;
  const words = event === 'QuotaGranted' ? source : movements[kind];
  const because = event === 'QuotaAdjusted' ? reasonText(reason, language) : '';
  const text = filled(words, language, {
    amount: shortAmount(delta, form),
    before: shortAmount(balanceAfter - delta, form),
    after: shortAmount(balanceAfter, form),
    reason,
    reference,
    money: payment?.money ?? '',
    bonus: shortAmount(payment?.bonusQuota ?? 0, form),
  });
  return text + because;
};
const quoteText = (quote: Quote, language: Language): string => {
  if (quote.kind === 'price') {
    const price = `$${quote.modelPrice}`;
    return filled(priceWords, language, { price, group: quote.groupRatio });
  }
  const { modelRatio: model, completionRatio: completion, groupRatio: group } = quote;
  return filled(ratioWords, language, { model, completion, group });
};
/** The provider's number of a file or a batch is no business of callers. */
const hidesNumber: ReadonlySet<string> = new Set(['file', 'batch', 'cache']);
const consumeText = (details: ConsumeDetails, language: Language): string => {
  const { usageNote, quote, task, usage } = details;
  if (task !== undefined && quote.kind === 'price' && !hidesNumber.has(task.platform)) {
    return filled(quote.video === undefined ? taskWords : videoWords, language, {
      price: Number(quote.modelPrice).toFixed(2),
      ratio: Number(quote.groupRatio).toFixed(2),
      action: task.action,
      id: task.upstreamId,
      seconds: usage.videoSeconds ?? 0,
    });
  }
  const note = usageNote === null ? '' : filled(noteWords, language, { note: usageNote });
  const { batch } = quote;
  const discount = batch === undefined ? '' : filled(batchWords, language, batch);
  return quoteText(quote, language) + discount + note;
};
const failureText = ({ errorCode, message }: FailureDetails, language: Language): string =>
  errorCode === 'request_abandoned' ? abandoned[language] : message;
const manageText = (
  { event, values }: ManageDetails,
  language: Language,
  form: AmountForm,
): string => {
  const kind = values.because === undefined ? event : 'SecretTakenBack';
  const quota = typeof values.quota === 'number' ? shortAmount(values.quota, form) : '';
  const text = filled(management[kind], language, { ...values, quota });
  return text + reasonText(String(values.reason ?? ''), language);
};

/** The text of an entry, made when it is read, in the reader's language. */
export const contentOf = (details: LogDetails, language: Language, form: AmountForm): string => {
  switch (details.kind) {
    case 'consume':
      return consumeText(details, language);
    case 'failure':
      return failureText(details, language);
    case 'movement':
      return movementText(details, language, form);
    case 'manage':
      return manageText(details, language, form);
  }
};

import type { wallet as zh } from '../zh/wallet.ts';

export const wallet: Record<keyof typeof zh, string> = {
  title: 'Wallet',
  lead: 'See your balance and redeem codes.',
  balance: 'Balance',
  units: '{{units}} units',
  'open-ledger': 'Open the ledger',
  'redeem-title': 'Redeem a code',
  'redeem-lead': 'Enter a code; its quota is added at once.',
  code: 'Redemption code',
  redeem: 'Redeem',
  redeeming: 'Redeeming…',
  'get-codes': 'Get codes',
  'no-link': 'The super admin has set no top-up link!',
  'code-missing': 'Enter a code!',
  redeemed: 'Redeemed!',
  credited: '{{units}} units ({{amount}}) were added.',
};

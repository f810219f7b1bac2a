import type { AddressForm } from './definition.ts';

export type AddressProblem =
  | 'option.not-an-address'
  | 'option.not-an-origin'
  | 'option.not-a-base'
  | 'option.address-with-login'
  | 'option.port-invalid';

const label = /^[\p{L}\p{N}_]([\p{L}\p{N}_-]*[\p{L}\p{N}_])?$/u;
const ipv6 = /^[0-9a-f:.]{2,45}$/i;
const maxHostLength = 253;
const maxPort = 65_535;

/** A last label of digits makes it an IPv4 address (WHATWG URL, host parsing). */
const isIpv4 = (labels: readonly string[]): boolean =>
  labels.length === 4 && labels.every((part) => /^\d{1,3}$/.test(part) && Number(part) <= 255);

/** A name, with a dot behind it or not, or an IPv4 address. */
const isName = (text: string): boolean => {
  const labels = text.replace(/\.$/, '').split('.');
  if (text.length > maxHostLength || !labels.every((part) => label.test(part))) return false;
  return /^\d+$/.test(labels.at(-1) ?? '') ? isIpv4(labels) : true;
};

/** The name or IP address of a server; IPv6 without brackets. */
export const isHost = (text: string): boolean =>
  isName(text) || (text.includes(':') && text.split(':').length > 2 && ipv6.test(text));

const isPort = (text: string): boolean =>
  /^\d{1,5}$/.test(text) && Number(text) >= 1 && Number(text) <= maxPort;

const parts = /^https?:\/\/([^/?#\\]*)([^?#]*)(.*)$/i;
const authority = /^(\[[^\]]*\]|[^:[\]]*)(?::(.*))?$/;

const hostProblem = (text: string): AddressProblem | null => {
  if (text.includes('@')) return 'option.address-with-login';
  const [, host = '', port] = authority.exec(text) ?? [];
  const isKnown = host.startsWith('[') ? isHost(host.slice(1, -1)) : isName(host);
  if (host === '' || !isKnown) return 'option.not-an-address';
  return port === undefined || isPort(port) ? null : 'option.port-invalid';
};

/** What is wrong with a web address of this form; null: nothing. */
export const addressProblem = (text: string, form: AddressForm): AddressProblem | null => {
  const found = /\s/.test(text) ? null : parts.exec(text);
  if (found === null) return 'option.not-an-address';
  const [, server = '', path = '', rest = ''] = found;
  const wrong = hostProblem(server);
  if (wrong !== null) return wrong;
  if (form === 'origin' && path + rest !== '') return 'option.not-an-origin';
  return form === 'base' && rest !== '' ? 'option.not-a-base' : null;
};

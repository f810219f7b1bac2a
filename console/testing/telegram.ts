/** What Telegram's frame posts to the page when a user signs in with it. */
export const sayFromTelegram = (user: object, origin: string = window.location.origin): void => {
  const frame = document.querySelector<HTMLIFrameElement>('.telegram-widget iframe');
  const data = { kind: 'telegram-user', user };
  const source = frame?.contentWindow ?? null;
  window.dispatchEvent(new MessageEvent('message', { data, origin, source }));
};

/*
 * Telegram's login button, in a frame of its own: its script turns text into code, which the policy
 * of the console's pages forbids. The page around the frame receives what Telegram answers.
 */
const tell = (message) => window.parent.postMessage(message, window.location.origin);

window.onTelegramAuth = (user) => tell({ kind: 'telegram-user', user });

const script = document.createElement('script');
script.src = 'https://telegram.org/js/telegram-widget.js?22';
script.async = true;
script.dataset.telegramLogin = new URLSearchParams(window.location.search).get('bot') ?? '';
script.dataset.size = 'medium';
script.dataset.onauth = 'onTelegramAuth(user)';
script.onerror = () => tell({ kind: 'telegram-failed' });
document.body.append(script);

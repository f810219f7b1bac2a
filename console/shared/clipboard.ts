import { useTranslation } from 'react-i18next';
import { toast } from './toast.ts';

const copyBySelection = (text: string): boolean => {
  const field = document.createElement('textarea');
  field.value = text;
  field.setAttribute('readonly', '');
  field.style.position = 'fixed';
  field.style.opacity = '0';
  document.body.append(field);
  field.select();
  try {
    // The only way where the clipboard interface is closed: pages served without TLS.
    return document.execCommand('copy');
  } catch {
    return false;
  } finally {
    field.remove();
  }
};

const copyText = async (text: string): Promise<boolean> => {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copyBySelection(text);
  }
};

let askToCopyByHand: (text: string) => void = () => undefined;

/** The dialog that shows a text when no way of copying works. */
export const attachManualCopy = (show: (text: string) => void): void => {
  askToCopyByHand = show;
};

export const useCopy = () => {
  const { t } = useTranslation('common');
  return async (text: string, message?: string): Promise<void> => {
    if (await copyText(text)) toast('success', message ?? t('copied', { text }));
    else askToCopyByHand(text);
  };
};

import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { SafeHtml } from '../../shared/components/safe-html.tsx';
import { readLocal } from '../../shared/local-values.ts';
import { defaultSystemName, useStatus } from '../../shared/status.ts';

const rereads = 5;
const rereadEveryMs = 200;

/** The kept copy, checked again for a second: another tab may have just fetched a newer one. */
const useFooterHtml = (): string => {
  const { footer_html } = useStatus();
  const [kept, setKept] = useState(footer_html);
  useEffect(() => {
    setKept(footer_html);
    let left = rereads;
    const timer = setInterval(() => {
      setKept(readLocal('footer_html') ?? footer_html);
      left -= 1;
      if (left === 0) clearInterval(timer);
    }, rereadEveryMs);
    return () => clearInterval(timer);
  }, [footer_html]);
  return kept;
};

export const Footer = () => {
  const { t } = useTranslation('shell');
  const { system_name, version } = useStatus();
  const html = useFooterHtml();
  return (
    <footer className="footer">
      {html ? (
        <SafeHtml html={html} />
      ) : (
        <span>
          {t('footer', { name: system_name || defaultSystemName, version: version || '' })}
        </span>
      )}
    </footer>
  );
};

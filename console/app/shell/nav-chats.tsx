import { Comment } from '@blueprintjs/icons';
import { useTranslation } from 'react-i18next';
import { NavLink } from 'react-router-dom';
import { chatOf } from '../../shared/paths.ts';
import { useStatus } from '../../shared/status.ts';

/** More entries than this wait behind the heading. */
const openUpTo = 3;

/** The chat sites that the operator configured, one entry each; nothing where there are none. */
export const NavChats = ({ onChoose }: Readonly<{ onChoose: (() => void) | undefined }>) => {
  const { t } = useTranslation('shell');
  const names = useStatus().chats.flatMap((entry) => Object.keys(entry).slice(0, 1));
  if (names.length === 0) return null;
  return (
    <li>
      <details className="nav-chats" open={names.length <= openUpTo}>
        <summary className="nav-item">
          <Comment />
          <span>{t('nav.chat')}</span>
        </summary>
        <ul>
          {names.map((name, at) => (
            <li key={name}>
              <NavLink
                to={chatOf(at)}
                className="nav-item"
                {...(onChoose && { onClick: onChoose })}
              >
                <span>{name}</span>
              </NavLink>
            </li>
          ))}
        </ul>
      </details>
    </li>
  );
};

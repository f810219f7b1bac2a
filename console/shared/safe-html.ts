import DOMPurify from 'dompurify';

const tags =
  'a abbr b blockquote br code del div em figcaption figure h1 h2 h3 h4 h5 h6 hr i img ins kbd li ' +
  'mark ol p pre s section small span strong sub sup table tbody td tfoot th thead tr u ul center font';
const attributes = ['href', 'src', 'alt', 'title', 'width', 'height', 'align', 'color'];

const rules = {
  ALLOWED_TAGS: tags.split(' '),
  ALLOWED_ATTR: attributes,
  ALLOW_ARIA_ATTR: false,
  ALLOW_DATA_ATTR: false,
  ALLOWED_URI_REGEXP: /^(https?:|mailto:|\/(?!\/)|#)/i,
};

const purifier = DOMPurify();

// A link of the operator's leads away, and the page behind it learns nothing of this one.
purifier.addHook('afterSanitizeAttributes', (element) => {
  if (element.tagName !== 'A') return;
  element.setAttribute('rel', 'noopener noreferrer');
  element.setAttribute('target', '_blank');
});

/** HTML that an operator wrote, with nothing in it that runs. */
export const sanitiseHtml = (html: string): string => purifier.sanitize(html, rules);

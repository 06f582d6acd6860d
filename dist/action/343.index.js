export const id = 343;
export const ids = [343];
export const modules = {

/***/ 3343:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   findJsonFault: () => (/* binding */ findJsonFault)
/* harmony export */ });
/* harmony import */ var jsonc_parser__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(9547);
/* harmony import */ var _suggest_js__WEBPACK_IMPORTED_MODULE_1__ = __webpack_require__(8984);


// The library declares these as `const enum`s, which a file compiled on its own cannot import.
const kinds = { openBrace: 1, closeBrace: 2, openBracket: 3, closeBracket: 4, comma: 5, colon: 6, string: 10, number: 11 };
const commentKinds = [12, 13];
const blankKinds = [14, 15];
const endKind = 17;
const scanErrors = { endOfString: 2, endOfNumber: 3, unicode: 4, escape: 5, character: 6 };
/**
 * Finds the first place where a text is not JSON and says what is wrong there.
 *
 * `JSON.parse` says it in other words with each Node version and not always with a place, so its error is only the last resort.
 * Nesting is kept on a list, not on the stack, so that no text is too deep.
 */
function findJsonFault(text, parseError) {
    const scanner = (0,jsonc_parser__WEBPACK_IMPORTED_MODULE_0__.createScanner)(text, false);
    const open = [];
    let expected = 'value';
    let last = { kind: 0, start: 0, end: 0 };
    for (;;) {
        const kind = scanner.scan();
        const token = { kind, start: scanner.getTokenOffset(), end: scanner.getTokenOffset() + scanner.getTokenLength() };
        if (blankKinds.includes(kind))
            continue;
        const fault = findTokenFault(text, token, scanner.getTokenError()) ?? findGrammarFault(text, token, last, expected, open);
        if (fault)
            return fault;
        if (kind === endKind)
            return fromParseError(text, parseError);
        expected = nextExpected(kind, expected, open);
        last = token;
    }
}
/** A fault inside one token: a string, a number or a comment. */
function findTokenFault(text, { kind, start, end }, error) {
    if (commentKinds.includes(kind)) {
        return toFault(text, start, end, 'unexpected comment, JSON has none', 'remove it');
    }
    const token = text.slice(start, end);
    switch (error) {
        case scanErrors.endOfString:
            return toFault(text, start, end, 'this string does not end on its line', 'add the closing `"`');
        case scanErrors.endOfNumber:
            return toFault(text, start, end, describeUnexpected(text, start));
        case scanErrors.unicode:
        case scanErrors.escape:
        case scanErrors.character:
            return findCharacterFault(text, start, token);
        default:
            return undefined;
    }
}
/** The scanner tells the last of several faults in a string; people, and `JSON.parse`, begin with the first. */
function findCharacterFault(text, start, token) {
    const [found, badEscape] = firstBadEscape(token);
    const control = token.search(/[\0-\x1f]/);
    if (control === -1 || (found !== '' && badEscape < control)) {
        const at = start + badEscape;
        const hint = found.startsWith('\\u') ? 'four digits stand behind `\\u`, such as `\\u00e9`' : 'write `\\\\` for a backslash';
        return toFault(text, at, at + found.length, `unexpected escape \`${found}\` in a string`, hint);
    }
    const escaped = JSON.stringify(token[control]).slice(1, -1);
    const at = start + control;
    return toFault(text, at, at + 1, 'unexpected control character in a string', `escape it as \`${escaped}\``);
}
/** A token that is whole but stands where the grammar has no place for it. */
function findGrammarFault(text, token, last, expected, open) {
    const { kind, start } = token;
    if (kind === endKind) {
        if (expected === 'end')
            return undefined;
        const hint = open.length === 0 ? undefined : `add the missing \`${open.at(-1)}\``;
        return toFault(text, last.end, last.end, 'unexpected end of the file', hint);
    }
    const conflict = findConflict(text, start);
    if (conflict)
        return conflict;
    const found = describeUnexpected(text, start);
    const word = wordAt(text, start);
    const end = start + Math.max(word.length, 1);
    if (word === '#')
        return toFault(text, start, end, 'unexpected comment, JSON has none', 'remove it');
    if (/[“”„‟«»‘’]/.test(word))
        return toFault(text, start, end, found, 'JSON strings stand in straight quotes: `"`');
    const closes = kind === kinds.closeBrace || kind === kinds.closeBracket;
    if (closes && last.kind === kinds.comma && open.at(-1) === text[start]) {
        return toFault(text, last.start, last.end, `unexpected \`,\` before \`${text[start]}\``, 'remove it');
    }
    if (/[\s\ufeff]/.test(word)) {
        const code = word.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0');
        return toFault(text, start, end, `unexpected blank U+${code}`, 'write it as a plain space');
    }
    if (word === "'")
        return toFault(text, start, end, found, 'JSON strings stand in double quotes');
    switch (expected) {
        case 'value':
        case 'value-or-end': {
            if (isValueStart(kind) || (expected === 'value-or-end' && kind === kinds.closeBracket))
                return undefined;
            return toFault(text, start, end, `${found}, expected a value`, valueHint(word, last));
        }
        case 'name':
        case 'name-or-end':
            if (kind === kinds.string || (expected === 'name-or-end' && kind === kinds.closeBrace))
                return undefined;
            return toFault(text, start, end, `${found}, expected a name in double quotes`, nameHint(word, last));
        case 'colon':
            return kind === kinds.colon
                ? undefined
                : toFault(text, start, end, `${found}, expected \`:\``, word === '=' ? 'write `:`' : 'add a `:`');
        case 'comma-or-end':
            return kind === kinds.comma || open.at(-1) === text[start] ? undefined : toCommaFault(text, token, last, open);
        case 'end':
            return toFault(text, start, end, `${found} after the end of the document`, /[,}\]]/.test(word) ? 'remove it, or the bracket above that closes too much' : undefined);
    }
}
/** What to write instead of a word, or of a sign, where a value is expected. */
function valueHint(word, last) {
    if (word === ',')
        return last.kind === kinds.colon ? 'add a value before it' : 'remove it';
    const near = word === 'undefined' ? 'None' : (0,_suggest_js__WEBPACK_IMPORTED_MODULE_1__/* .suggest */ .Z)(word, ['true', 'false', 'null', 'None']);
    if (near !== undefined)
        return `JSON has \`${near === 'None' ? 'null' : near}\``;
    if (/^[+.]\d/.test(word))
        return `write \`${word.replace(/^\+/, '').replace(/^\./, '0.')}\``;
    if (/^[+-]?(?:NaN|Infinity)$/.test(word))
        return 'JSON has no such number';
    return /^[A-Za-z_$]/.test(word) ? 'put text in double quotes' : undefined;
}
function nameHint(word, last) {
    if (word === ',')
        return 'remove it';
    return last.kind !== kinds.string && /^[A-Za-z_$][\w$-]*$/.test(word) ? `write \`"${word}"\`` : undefined;
}
/** What git writes where two sides changed one place. */
function findConflict(text, start) {
    const isMarker = (start === 0 || text[start - 1] === '\n') && /^(?:<{7}|={7}|>{7})(?=[ \r\n]|$)/.test(text.slice(start, start + 8));
    if (!isMarker)
        return undefined;
    const hint = 'keep one of the two sides and remove the lines of the markers';
    return toFault(text, start, start + 7, 'a merge conflict is left here', hint);
}
function toCommaFault(text, { kind, start }, last, open) {
    const end = start + Math.max(wordAt(text, start).length, 1);
    if (kind === kinds.closeBrace || kind === kinds.closeBracket) {
        return toFault(text, start, end, `${describeUnexpected(text, start)}, expected \`${open.at(-1)}\``);
    }
    if (last.kind === kinds.number && last.end === start) {
        const hint = text[last.start] === '0' ? 'a number does not start with 0' : undefined;
        return toFault(text, last.start, end, describeUnexpected(text, last.start), hint);
    }
    if (/[\n\r]/.test(text.slice(last.end, start))) {
        return toFault(text, last.end, last.end, 'unexpected end of the line, expected `,`', 'add a `,`');
    }
    return toFault(text, start, end, `${describeUnexpected(text, start)}, expected \`,\``, 'add a `,` before it');
}
/** Also keeps the list of closing brackets that are still to come. */
function nextExpected(kind, expected, open) {
    switch (kind) {
        case kinds.openBrace:
            open.push('}');
            return 'name-or-end';
        case kinds.openBracket:
            open.push(']');
            return 'value-or-end';
        case kinds.closeBrace:
        case kinds.closeBracket:
            open.pop();
            break;
        case kinds.comma:
            return open.at(-1) === '}' ? 'name' : 'value';
        case kinds.colon:
            return 'value';
        default:
            if (expected === 'name' || expected === 'name-or-end')
                return 'colon';
    }
    return open.length === 0 ? 'end' : 'comma-or-end';
}
function isValueStart(kind) {
    return kind === kinds.openBrace || kind === kinds.openBracket || (kind >= 7 && kind <= kinds.number);
}
function firstBadEscape(token) {
    for (const { 0: found, index } of token.matchAll(/\\(?:u[0-9A-Za-z]{0,4}|[\s\S])/g)) {
        if (!/^\\(?:["\\/bfnrt]|u[0-9A-Fa-f]{4})$/.test(found))
            return [found, index];
    }
    return ['', 0];
}
function describeUnexpected(text, offset) {
    return `unexpected \`${wordAt(text, offset)}\``;
}
function wordAt(text, offset) {
    return /^(?:[A-Za-z0-9_$.+-]{1,30}|[\s\S])/u.exec(text.slice(offset, offset + 40))?.[0] ?? '';
}
function fromParseError(text, parseError) {
    const position = /position (\d+)/.exec(String(parseError))?.[1];
    const start = Math.min(Number(position ?? text.length), text.length);
    return toFault(text, start, start + 1, start === text.length ? 'unexpected end of the file' : describeUnexpected(text, start));
}
function toFault(text, start, end, message, hint) {
    const offsets = { start: Math.min(start, text.length), end: Math.min(Math.max(end, start), text.length) };
    return { code: 'json-syntax', message: `Cannot read the JSON: ${message}`, offsets, ...(hint === undefined ? {} : { hint }) };
}


/***/ })

};

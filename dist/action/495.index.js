export const id = 495;
export const ids = [495];
export const modules = {

/***/ 1495:
/***/ ((__unused_webpack___webpack_module__, __webpack_exports__, __webpack_require__) => {

__webpack_require__.r(__webpack_exports__);
/* harmony export */ __webpack_require__.d(__webpack_exports__, {
/* harmony export */   dropUnused: () => (/* binding */ dropUnused)
/* harmony export */ });
/* harmony import */ var _text_json_pointer_js__WEBPACK_IMPORTED_MODULE_0__ = __webpack_require__(8816);

/** More faults, and more values in each, are not looked at. */
const maxFaults = 500;
const maxValues = 20_000;
/** Takes away that a component is not used where something that names it has a fault, and so was not read. */
function dropUnused(findings, documents) {
    if (!findings.some(({ code }) => code === 'unused-component'))
        return findings;
    const faults = findings.filter(({ code }) => unread.has(code)).slice(0, maxFaults);
    if (faults.length === 0)
        return findings;
    const named = listNames(faults, documents);
    return findings.filter(({ code, pointer }) => code !== 'unused-component' || !named.has((0,_text_json_pointer_js__WEBPACK_IMPORTED_MODULE_0__/* .parsePointer */ .vp)(pointer).at(-1) ?? ''));
}
const unread = new Set(['unknown-field', 'wrong-type', 'security-scheme', 'reference-unresolved']);
/** All words of the values that have a fault, and of what was meant instead. */
function listNames(faults, documents) {
    const names = new Set();
    const add = (text) => {
        for (const word of text.slice(0, 300).match(/[\w.-]+/g) ?? [])
            names.add(word);
    };
    const waiting = [];
    for (const { file, pointer, hint } of faults) {
        add(hint ?? '');
        waiting.push((0,_text_json_pointer_js__WEBPACK_IMPORTED_MODULE_0__/* .valueAtPointer */ .sZ)(documents.get(file)?.parsed.value, pointer));
    }
    for (let count = 0; waiting.length > 0 && count < maxValues; count++) {
        const value = waiting.pop();
        if (typeof value === 'string')
            add(value);
        else if (typeof value === 'object' && value !== null) {
            if (!Array.isArray(value))
                for (const key of Object.keys(value))
                    names.add(key);
            for (const entry of Object.values(value))
                waiting.push(entry);
        }
    }
    return names;
}


/***/ })

};

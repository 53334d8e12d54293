<<<<<<< HEAD:web/dist/assets/dates-CsmM2qvE.js
<<<<<<<< HEAD:web/dist/assets/dates-CvOmsZGZ.js
import{V as e}from"./shared-BIdLc3MO.js";var t=6e4;function n(n){let r=e(n);return r===null?``:new Date(r-new Date(r).getTimezoneOffset()*t).toISOString().slice(0,16)}function r(e){let t=e?new Date(e).getTime():NaN;return Number.isNaN(t)?void 0:new Date(t).toISOString()}export{n,r as t};
========
import{S as e}from"./shared-BnZnu5wq.js";var t=6e4;function n(n){let r=e(n);return r===null?``:new Date(r-new Date(r).getTimezoneOffset()*t).toISOString().slice(0,16)}function r(e){let t=e?new Date(e).getTime():NaN;return Number.isNaN(t)?void 0:new Date(t).toISOString()}export{n,r as t};
>>>>>>>> walks:web/dist/assets/dates-CsmM2qvE.js
=======
import{C as e}from"./shared-CSdsOQk3.js";var t=6e4;function n(n){let r=e(n);return r===null?``:new Date(r-new Date(r).getTimezoneOffset()*t).toISOString().slice(0,16)}function r(e){let t=e?new Date(e).getTime():NaN;return Number.isNaN(t)?void 0:new Date(t).toISOString()}export{n,r as t};
>>>>>>> walks:web/dist/assets/dates-DkECy4LA.js

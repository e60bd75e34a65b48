"""The examples that the standard gives for its functions and operators (DMN 1.5, 10.3), each of which is true."""

from __future__ import annotations

import pytest

from tests.bpmn.expressions.support import evaluate

EXAMPLES = r"""
before( 1, 10 )
not(before( 10, 1 ))
not(before( 1, [1..10] ))
before( 1, (1..10] )
before( 1, [5..10] )
not(before( [1..10], 10 ))
before( [1..10), 10 )
before( [1..10], 15 )
before( [1..10], [15..20] )
not(before( [1..10], [10..20] ))
before( [1..10), [10..20] )
before( [1..10], (10..20] )
after( 12, [1..10] )
after( 10, [1..10) )
not(after( 10, [1..10] ))
not(after( [11..20], 12 ))
after( [11..20], 10 )
after( (11..20], 11 )
not(after( [11..20], 11 ))
after( [11..20], [1..10] )
after( [11..20], [1..11) )
after( (11..20], [1..11] )
meets( [1..5], [5..10] )
not(meets( [1..5), [5..10] ))
not(meets( [1..5], (5..10] ))
met by( [5..10], [1..5] )
not(met by( [5..10], [1..5) ))
overlaps( [1..5], [3..8] )
overlaps( [1..8], [3..5] )
not(overlaps( [6..8], [1..5] ))
overlaps( [1..5], [5..8] )
not(overlaps( [1..5], (5..8] ))
not(overlaps( (5..8], [1..5] ))
overlaps before( [1..5], [3..8] )
overlaps before( [1..5], [5..8] )
not(overlaps before( [1..5], (5..8] ))
overlaps before( [1..5), (1..5] )
overlaps before( [1..5], (1..5] )
not(overlaps before( [1..5), [1..5] ))
not(overlaps before( [1..5], [1..5] ))
overlaps after( [3..8], [1..5])
overlaps after( [5..8], [1..5])
not(overlaps after( (5..8], [1..5]))
overlaps after( (1..5], [1..5) )
overlaps after( (1..5], [1..5] )
not(overlaps after( [1..5], [1..5) ))
finishes( 10, [1..10] )
not(finishes( 10, [1..10) ))
finishes( [5..10], [1..10] )
not(finishes( [5..10), [1..10] ))
finishes( [1..10], [1..10] )
finishes( (1..10], [1..10] )
finished by( [1..10], 10 )
finished by( [1..10], [5..10] )
not(finished by( [1..10], [5..10) ))
finished by( [1..10], (1..10] )
includes( [1..10], 5 )
not(includes( [1..10], 12 ))
includes( [1..10], 1 )
not(includes( (1..10], 1 ))
includes( (1..10], (1..5] )
includes( [1..10], (1..10) )
includes( [1..10], [1..10) )
during( 5, [1..10] )
not(during( 1, (1..10] ))
during( (1..10), [1..10] )
during( [1..10), [1..10] )
starts( 1, [1..10] )
not(starts( 1, (1..10] ))
starts( [1..5], [1..10] )
not(starts( (1..5], [1..10] ))
starts( [1..10), [1..10] )
started by( [1..10], 1 )
not(started by( [1..10], 2 ))
started by( [1..10], [1..5] )
not(started by( [1..10], (1..5] ))
started by( [1..10], [1..10) )
coincides( 5, 5 )
not(coincides( (1..5), [1..5] ))
string join(["a","b","c"], "_and_") = "a_and_b_and_c"
string join(["a",null,"c"], "X") = "aXc"
string join([], "X") = ""
modulo(-12,-5) = -2
modulo(-10.1, 4.5) = 3.4
modulo(10.1, -4.5) = -3.4
abs(@"-PT5H") = @"PT5H"
time("23:59:00z") = time(23, 59, 0, duration("PT0H"))
time("23:59:00z") + duration("PT2M") = time("00:01:00@Etc/UTC")
number("1 000,0", " ", ",") = number("1,000.0", ",", ".")
date and time("2012-12-24T23:59:00") - date and time("2012-12-22T03:45:00") = duration("P2DT20H14M")
years and months duration(date("2011-12-22"), date("2013-08-24")) = duration("P1Y8M")
stddev(2, 4, 7, 5) = 2.081665999466132735282297706979931
median(8, 2, 5, 3, 4) = 4
mode([6, 1, 9, 6, 1]) = [1, 6]
week of year(date(2003, 12, 29)) = 1
week of year(date(2005, 1, 1)) = 53
day of year(date(2019, 9, 17)) = 260
sort(list: [3,1,4,5,2], precedes: function(x,y) x < y) = [1,2,3,4,5]
get entries({key1: "value1"})[key="key1"].value = ["value1"]
context put({x:1, y:0, z:0}, "y", 2) = {x:1, y:2, z:0}
context put({x:1}, ["y"], 2) = {x:1, y:2}
context([{key:"a", value:1}, {key:"b", value:2, something: "else"}]) = {a:1, b:2}
floor(-1.56, 1) = -1.6
ceiling(-1.56, 1) = -1.5
round half down(-1.126, 2) = -1.13
{isPositive : function(x) x > 0, isNotNegative : function(x) isPositive(x+ 1), result: isNotNegative(0)}.result
(for i in 0..4 return if i = 0 then 1 else i * partial[-1]) = [1,1,2,6,24]
3[item > 2] = [3]
not(contains(["foobar"], "ob")) = false
[{x:1, y:2}, {x:null, y:3}][x < 2] = [{x:1, y:2}]
5 in (<=5)
not(5 in ((5..10]))
5 in ([5..10])
5 in (4, 5, 6)
not(5 in (<5, >5))
1 + 3/2*2 - 2**3 = -4
1/3 = 0.3333333333333333333333333333333333
decimal(0.505, 2) = 0.50
decimal(0.515, 2) = 0.52
all([false,null,true]) = false
any([false,null,true])
union([1,2],[2,3]) = [1,2,3]
(<= 10).start included = false
(<= 10).end included
(> 1).end = null
123 instance of list = null
[123] instance of list<number>
substring("\U01F40Eab", 2) = "ab"
split("John Doe", "\\s") = ["John", "Doe"]
matches("foobar", "^fo*b")
date and time("2012-03-07Z") = null
is(time("23:00:50z"), time("23:00:50")) = false
"""


@pytest.mark.parametrize("text", EXAMPLES.strip().splitlines())
def test_example(text: str) -> None:
    assert evaluate(f"= {text}") is True
